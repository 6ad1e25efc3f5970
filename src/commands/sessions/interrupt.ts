import type { CommandCall } from '../../command-line/command.ts'
import { labelOf, typedName } from '../../command-line/views/session-words.ts'

export async function run({ args: [sessionId = ''], out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('changes')
  const session = await engine.interrupt(context, { sessionId })
  if (out.isJson) return out.json({ id: session.id, status: session.status })
  out.say(`${labelOf(session)} is interrupted; plexus say ${typedName(session)} "..." continues.`)
}
