import type { CommandCall } from '../../command-line/command.ts'
import { labelOf } from '../../command-line/views/session-words.ts'
import { nodeNamed } from '../../command-line/views/tree-views.ts'

/** From the end of a session, or from a turn of its history. */
export async function run({ args: [sessionId = ''], flags, out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('changes')
  const at = flags.text('at')
  const nodeId =
    at === undefined
      ? undefined
      : nodeNamed(
          at,
          await engine.tree(context, { sessionId }),
          await engine.getSession(context, { sessionId }),
        )
  const session = await engine.fork(context, { sessionId, nodeId, name: flags.text('name') })
  if (out.isJson)
    return out.json({ id: session.id, ...(session.name === undefined ? {} : { name: session.name }) })
  out.line(out.isTerminal && !flags.isSet('quiet') ? labelOf(session) : session.id)
}
