import type { ClientHub } from '../../command-line/command.ts'
import type { Output } from '../../command-line/output.ts'
import { questionId, questionLine } from '../../command-line/views/question-views.ts'
import { labelOf } from '../../command-line/views/session-words.ts'
import type { Session } from '../../sessions/record/session.ts'

/** A line for each question, for a person who would otherwise see a command that does nothing. */
export async function printQuestions(
  { engine, context }: ClientHub,
  session: Session,
  out: Output,
  signal: AbortSignal,
): Promise<void> {
  const printed = new Set<string>()
  try {
    for await (const { events } of engine.followEvents(
      { ...context, signal },
      { sessionId: session.id, after: 0 },
    )) {
      if (!events.some(({ event }) => event.type === 'approval.opened')) continue
      for (const question of await engine.pending(context, { sessionId: session.id })) {
        if (printed.has(question.id)) continue
        printed.add(question.id)
        const id = questionId(question)
        out.say(`${labelOf(session)} ${questionLine(question)}   plexus allow ${id}`)
      }
    }
  } catch {
    // plexus pending lists them.
  }
}
