import type { NodeStore, TreeNode } from './tree-node.ts'

/** The path from the root to this node, through every session that it was forked from. */
export async function lineage(nodes: NodeStore, nodeId: string | undefined): Promise<TreeNode[]> {
  const path: TreeNode[] = []
  for (let id = nodeId; id !== undefined;) {
    const node = await nodes.get(id)
    if (!node) break // its session was removed: the history starts here now
    path.unshift(node)
    id = node.parentId
  }
  return path
}

/** A node with its subtree. */
export interface Branch {
  readonly node: TreeNode
  readonly branches: readonly Branch[]
}

/** All nodes of a branch. */
export function nodesOf({ node, branches }: Branch): TreeNode[] {
  return [node, ...branches.flatMap(nodesOf)]
}

/** The subtree of a node, oldest branch first. Limited by depth, because a history may be long. */
export async function branchesFrom(nodes: NodeStore, node: TreeNode, depth = 1_000): Promise<Branch> {
  const children = depth > 0 ? await nodes.children(node.id) : []
  const branches = await Promise.all(children.map((child) => branchesFrom(nodes, child, depth - 1)))
  return { node, branches }
}
