import type { Caller } from '../../callers/access-rules.ts'
import type { Store } from '../../sessions/record/store.ts'
import { type Branch, lineage, nodesOf } from '../../tree/session-tree.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import { onlyVisible } from './visible-sessions.ts'

/** The earliest ancestor of a node from which on the caller may read every node. */
export async function visibleRoot(
  store: Store,
  caller: Caller,
  nodeId: string | undefined,
): Promise<TreeNode | undefined> {
  const path = await lineage(store.nodes, nodeId)
  const visible = new Set(await onlyVisible(store, caller, path))
  return path[path.findLastIndex((node) => !visible.has(node)) + 1]
}

/** The tree without branches of sessions that the caller may not read. */
export async function visibleTree(store: Store, caller: Caller, root: Branch): Promise<Branch[]> {
  const visible = new Set((await onlyVisible(store, caller, nodesOf(root))).map(({ sessionId }) => sessionId))
  return prune([root], visible)
}

function prune(branches: readonly Branch[], visible: ReadonlySet<string>): Branch[] {
  return branches
    .filter(({ node }) => visible.has(node.sessionId))
    .map((branch) => ({ node: branch.node, branches: prune(branch.branches, visible) }))
}
