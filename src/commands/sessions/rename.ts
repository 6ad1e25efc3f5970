import type { CommandCall } from '../../command-line/command.ts'
import { labelOf } from '../../command-line/views/session-words.ts'

export async function run({ args: [sessionId = '', name = ''], out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('changes')
  const session = await engine.renameSession(context, { sessionId, name })
  if (out.isJson) return out.json({ id: session.id, name })
  out.say(`It is called ${labelOf(session)} now.`)
}
