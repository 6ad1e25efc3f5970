import { AppError } from '../../base/errors.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'
import { followSession } from '../follow/follow-session.ts'
import type { Output } from '../output.ts'
import { FlagValues } from '../command.ts'
import { settleQuestions } from '../questions/settle-questions.ts'
import { logLines } from '../views/log-lines.ts'
import { questionId } from '../views/question-views.ts'
import { optionOf } from '../views/reply-text.ts'
import { oneLine } from '../views/session-words.ts'
import type { TourPlace } from './tour-place.ts'
import { plainCard, type TourText } from './tour-text.ts'

/** What the chapters of a tour share. */
export interface Tour {
  readonly place: TourPlace
  readonly session: Session
  readonly text: TourText
  readonly out: Output
  /** Aborts when the person ends the tour. */
  readonly stop: AbortController
}

/** The tour says itself what became of a call. */
const HIDDEN: ReadonlySet<string> = new Set([
  'tool.used',
  'tool.finished',
  'approval.settled',
  'cost.reported',
  'turn.ended',
])

/** The person answers by keys, as with plexus attach. */
export async function answeredAtTerminal({ place, session, out, stop }: Tour, after: number): Promise<void> {
  const end = await followSession(place.client, session, {
    // The folder of the tour is not the person's: `~` would lead them elsewhere.
    homeFolder: undefined,
    after,
    look: out.look,
    onlyTurn: { signal: stop.signal, hidden: HIDDEN },
  })
  if (end === 'left') stop.abort()
}

/** Nobody is there: each question is allowed by the command that a person would type. */
export async function answeredByTour(parts: Tour, after: number): Promise<void> {
  const { place, out, text } = parts
  for (
    let asked = await printUntilAsked(parts, after);
    asked;
    asked = await printUntilAsked(parts, asked.seq)
  ) {
    const { question } = asked
    const id = questionId(question)
    text.lines(`$ plexus ${question.kind === 'question' ? `answer ${id} 1` : `allow ${id}`}`)
    await settleQuestions(place.client, [question], yesTo, { out, flags: new FlagValues({}) })
  }
}

function yesTo({ kind, questions: [first] }: PendingQuestion) {
  return kind === 'question' ? { answers: [optionOf(first, '1')] } : { approve: true }
}

/** Prints what happens until the session asks, with the question; returns undefined at the end of the turn. */
export async function printUntilAsked(
  { place, session, text, stop }: Tour,
  after: number,
): Promise<{ question: PendingQuestion; seq: number } | undefined> {
  const { engine, context } = place.client
  const { id: sessionId } = session
  for await (const page of engine.followEvents({ ...context, signal: stop.signal }, { sessionId, after }))
    for (const stored of page.events) {
      const { event, seq } = stored
      if (event.type === 'approval.opened') {
        const question = await engine.getApproval(context, { approvalId: event.approvalId })
        text.lines(...plainCard(question))
        return { question, seq }
      }
      if (!HIDDEN.has(event.type)) text.lines(...logLines(stored))
      if (event.type === 'turn.ended') return undefined
    }
  stop.signal.throwIfAborted()
  return undefined
}

/** How the question of the turn was settled. A turn without one is not the tour that was promised. */
export async function turnResult({ place: { client }, session }: Tour, after: number): Promise<string> {
  const { events } = await client.engine.readEvents(client.context, { sessionId: session.id, after })
  for (const { event } of events) if (event.type === 'approval.settled') return event.status
  const ended = events.map(({ event }) => event).find(({ type }) => type === 'turn.ended')
  const why = ended?.type === 'turn.ended' && ended.error ? ` It said: ${oneLine(ended.error.message)}` : ''
  throw new AppError('cli_failed', `The session ended without a question, so the tour ends here.${why}`)
}
