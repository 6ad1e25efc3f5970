import type { CommandCall } from '../../command-line/command.ts'
import { labelOf } from '../../command-line/views/session-words.ts'

export async function run({ args: [sessionId = ''], flags, out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('changes')
  const session = await engine.fork(context, { sessionId, name: flags.text('name') })
  if (out.isJson)
    return out.json({ id: session.id, ...(session.name === undefined ? {} : { name: session.name }) })
  out.line(out.isTerminal ? labelOf(session) : session.id)
}
