import type { Identity } from '../callers/permission.ts'
import type { Store } from '../store/store.ts'
import type { Branch } from '../tree/lineage.ts'
import { onlyVisible } from './visible-sessions.ts'

/** A tree without the branches that were forked into sessions that the caller may not read. */
export async function visibleTree(store: Store, caller: Identity, root: Branch): Promise<Branch[]> {
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
