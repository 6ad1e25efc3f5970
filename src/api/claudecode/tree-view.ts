import { z } from 'zod'
import type { EarlierTurn } from '../../engine/earlier-turns.ts'
import { AppError } from '../../base/errors.ts'
import type { Branch } from '../../tree/session-tree.ts'

export const NodeView = z.looseObject({
  id: z.string(),
  parent: z
    .string()
    .describe('The node before; the parent of the first node is the root, whose id is tree_id.'),
  session_id: z.string(),
  title: z.string().describe('The beginning of the prompt, in one line.'),
  children: z.array(z.string()),
  turn: z.number().optional(),
  at: z.number().optional().describe('Seconds since 1970.'),
  fork_point: z.boolean().optional(),
  outside: z
    .boolean()
    .optional()
    .describe('From before the conversation became a session here: it can be read, but not forked.'),
})
export type NodeView = z.infer<typeof NodeView>

/** All nodes, parents before their children. Nodes from before the conversation became a session come first. */
export function treeNodes(
  treeId: string,
  earlier: readonly EarlierTurn[],
  roots: readonly Branch[],
): NodeView[] {
  const outside = earlier.map(({ id, title }, index): NodeView => {
    const next = earlier[index + 1]
    const children = next ? [next.id] : roots.map(({ node }) => node.id)
    return {
      id,
      parent: earlier[index - 1]?.id ?? treeId,
      session_id: treeId,
      title,
      children,
      outside: true,
    }
  })
  const before = earlier.at(-1)?.id ?? treeId
  return [...outside, ...roots.flatMap((root) => nodesOf(root, before))]
}

function nodesOf({ node, branches }: Branch, before: string): NodeView[] {
  const { id, parentId = before, sessionId, turn, title, at } = node
  const children = branches.map((branch) => branch.node.id)
  const view: NodeView = {
    id,
    parent: parentId,
    session_id: sessionId,
    title,
    children,
    turn,
    at: Math.floor(at / 1_000),
    ...(children.length > 1 ? { fork_point: true } : {}),
  }
  return [view, ...branches.flatMap((branch) => nodesOf(branch, before))]
}

/** The nodes below `from` and itself (all nodes by default), at most `depth` turns deep. */
export function subtree(nodes: readonly NodeView[], from: string | undefined, depth: number): NodeView[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const first = from === undefined ? nodes.find(({ parent }) => !byId.has(parent)) : byId.get(from)
  if (!first && from !== undefined)
    throw new AppError(
      'not_found',
      `There is no node ${from} in this tree; leave out node_id to see all nodes.`,
    )
  const found: NodeView[] = []
  let level = first ? [first] : []
  for (let left = depth; level.length > 0 && left >= 0; left--) {
    found.push(...level)
    level = level.flatMap(({ children }) => children.flatMap((id) => byId.get(id) ?? []))
  }
  return found
}
