import type { CommandCall } from '../../command-line/command.ts'
import { labelOf, typedName } from '../../command-line/views/session-words.ts'

export async function run({ args, out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('changes')
  for (const sessionId of args) {
    const session = await engine.stopSession(context, { sessionId })
    if (out.isJson) out.json({ id: session.id, status: session.status })
    else out.say(`${labelOf(session)} is stopped; plexus say ${typedName(session)} "..." resumes it.`)
  }
}
