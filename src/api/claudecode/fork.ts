import { z } from 'zod'
import { strictFields, selector } from '../../base/input-fields.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../operation/plexus-operation.ts'
import { headOf, Position } from './session-view.ts'

export const fork = definePlexusOperation({
  name: 'claudecode.fork',
  title: 'Fork a session',
  description:
    'Creates another session that continues from a node in the history of this one (claudecode.tree shows them); the original stays as it is. Start it with claudecode.chat_async.',
  input: strictFields({
    session_id: ONE_SESSION.session_id,
    name: selector('name', 'With session_id: a name for the fork. Alone: the session to fork.').optional(),
    new_name: selector('new_name', 'A name for the fork.').optional(),
    node_id: z
      .uuid('node_id must be a UUID, as claudecode.tree shows them.')
      .optional()
      .describe('The node from which the fork continues; the last node by default.'),
  }),
  output: z.looseObject({ type: z.literal('created'), id: z.string(), head: Position }),
  run: async (context, { session_id, name, new_name, node_id }) => {
    const forked = await context.engine.fork(context.call, {
      sessionId: sessionNamed({ session_id, name }),
      nodeId: node_id,
      name: new_name ?? (session_id === undefined ? undefined : name),
    })
    return { type: 'created' as const, id: forked.id, head: await headOf(context, forked) }
  },
})
