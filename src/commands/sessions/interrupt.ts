import type { CommandCall } from '../../command-line/command.ts'
import { labelOf, typedName } from '../../command-line/views/session-words.ts'
import { isAtWork } from '../../sessions/record/at-work.ts'

export async function run({ args: [sessionId = ''], out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('changes')
  const before = await engine.getSession(context, { sessionId })
  const interrupted = isAtWork(before)
  const session = interrupted ? await engine.interrupt(context, { sessionId: before.id }) : before
  if (out.isJson) return out.json({ id: session.id, status: session.status, interrupted })
  out.say(
    interrupted
      ? `${labelOf(session)} is interrupted; plexus say ${typedName(session)} "..." continues.`
      : `${labelOf(session)} is not at work, so there was nothing to interrupt.`,
  )
}
