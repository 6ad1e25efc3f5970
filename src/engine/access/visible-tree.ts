import type { Caller } from '../../callers/access-rules.ts'
import type { Store } from '../../sessions/record/store.ts'
import { type Branch, lineage } from '../../tree/lineage.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import { onlyVisible } from './visible-sessions.ts'

/** Where the way to this node begins, as far back as the caller may read. */
export async function visibleRoot(
  store: Store,
  caller: Caller,
  nodeId: string | undefined,
): Promise<TreeNode | undefined> {
  const way = await lineage(store.nodes, nodeId)
  const visible = new Set(await onlyVisible(store, caller, way))
  return way[way.findLastIndex((node) => !visible.has(node)) + 1]
}

/** A tree without the branches that were forked into sessions that the caller may not read. */
export async function visibleTree(store: Store, caller: Caller, root: Branch): Promise<Branch[]> {
  const visible = new Set((await onlyVisible(store, caller, nodesOf(root))).map(({ sessionId }) => sessionId))
  return pruned([root], visible)
}

function nodesOf({ node, branches }: Branch): Branch['node'][] {
  return [node, ...branches.flatMap(nodesOf)]
}

function pruned(branches: readonly Branch[], visible: ReadonlySet<string>): Branch[] {
  return branches
    .filter(({ node }) => visible.has(node.sessionId))
    .map((branch) => ({ node: branch.node, branches: pruned(branch.branches, visible) }))
}
