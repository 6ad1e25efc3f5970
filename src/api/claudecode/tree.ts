import { z } from 'zod'
import type { SessionKey } from '../../base/ids.ts'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import { strictFields, selector, wholeNumber } from '../../base/input-fields.ts'
import { type Context } from '../operation/operation.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../operation/plexus-operation.ts'
import { NodeView, treeNodes, subtree } from './tree-view.ts'
import { headOf, Position } from './session-view.ts'

export const tree = definePlexusOperation({
  name: 'claudecode.tree',
  title: 'Show the history of a session as a tree',
  description:
    'Shows the turns of a session and of its forks as nodes, oldest first; head is the node from which the session continues. Turns from before the conversation became a session here are shown too, also those from a terminal. claudecode.fork continues from any node that is not outside.',
  input: strictFields({
    ...ONE_SESSION,
    node_id: selector('node_id', 'Only this node and the nodes after it.').optional(),
    depth: wholeNumber('depth', 0, 1_000_000, 'How many turns deep, at most.').optional(),
    search: selector('search', 'Only nodes with this text in their title; case does not matter.').optional(),
  }),
  output: z.looseObject({
    type: z.literal('ok'),
    session_id: z.string(),
    tree_id: z.string(),
    head: Position,
    nodes: z.array(NodeView),
  }),
  hints: { readOnlyHint: true, idempotentHint: true },
  run: async (context, { node_id, depth = Infinity, search = '', ...named }) => {
    const { engine, call } = context
    const selected = sessionNamed(named)
    const session = await findSession(context, selected)
    const { tree_id, node_id: head } = session
      ? await headOf(context, session)
      : { tree_id: selected, node_id: selected }
    // For a conversation that is no session of ours this is the whole answer, or throws not_found.
    const earlier = await engine.history(call, { sessionId: tree_id })
    const roots = session ? await engine.tree(call, { sessionId: session.id }) : []
    const nodes = subtree(
      treeNodes(tree_id, earlier, roots),
      node_id === tree_id ? undefined : node_id,
      depth,
    )
    return {
      type: 'ok' as const,
      session_id: session?.id ?? selected,
      tree_id,
      head: { tree_id, node_id: head === tree_id ? (earlier.at(-1)?.id ?? head) : head },
      nodes: nodes.filter(({ title }) => title.toLowerCase().includes(search.toLowerCase())),
    }
  },
})

/** Undefined for a conversation that only Claude Code has. */
async function findSession({ engine, call }: Context, sessionId: SessionKey): Promise<Session | undefined> {
  try {
    return await engine.getSession(call, { sessionId })
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}
