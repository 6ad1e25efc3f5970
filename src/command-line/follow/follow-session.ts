import { AppError } from '../../base/errors.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { ClientHub } from '../command.ts'
import { logLines } from '../views/log-lines.ts'
import { questionCard } from '../views/question-views.ts'
import { typedName } from '../views/session-words.ts'
import { followLine } from './follow-line.ts'
import {
  type FollowAction,
  type FollowState,
  initialFollowState,
  type Key,
  pressed,
  withQuestions,
} from './follow-state.ts'
import { LastLine } from './last-line.ts'
import { readKeys } from './terminal-keys.ts'

export interface FollowOptions {
  readonly homeFolder: string | undefined
  /** The log after this seq is printed. */
  readonly after: number
  /** Only the questions of the turn are answered: nothing is sent, Ctrl-C leaves at once, and the end of the turn ends it too. Events of the hidden types are not printed. */
  readonly onlyTurn?: { readonly signal: AbortSignal; readonly hidden: ReadonlySet<string> }
}

/**
 * Follows a session at a terminal: prints what happens, asks where the person is, and sends what they type. Returns when they
 * leave, or with `onlyTurn` when the turn has ended. A hub that ends meanwhile is waited for; the session and its questions
 * are where they were.
 */
export async function followSession(
  { engine, context }: ClientHub,
  session: Session,
  { homeFolder, after, onlyTurn }: FollowOptions,
): Promise<'left' | 'turn ended'> {
  const over = new AbortController()
  const signal = onlyTurn ? AbortSignal.any([over.signal, onlyTurn.signal]) : over.signal
  let hasEnded = false
  const screen = new LastLine(process.stderr)
  let state: FollowState = initialFollowState
  const name = typedName(session)
  const card = (question: PendingQuestion, most: number) =>
    questionCard(question, { now: Date.now(), homeFolder, most }).map((line) => `  ${line}`)
  const paint = () => screen.paint(onlyTurn && !state.question ? '' : followLine(state))
  const become = (next: FollowState) => {
    state = next
    paint()
  }
  const failed = (error: unknown) =>
    screen.print([`! ${error instanceof AppError ? error.message : 'It did not work.'}`])
  const refresh = async () => {
    const open = await engine.pending(context, { sessionId: session.id })
    if (signal.aborted) return
    const before = state.question?.id
    const next = withQuestions(state, open, Date.now())
    if (next.question && next.question.id !== before) screen.print(card(next.question, MOST_LINES))
    become(next)
  }
  const act = async (action: FollowAction) => {
    switch (action.type) {
      case 'answer': {
        const { id: approvalId, inputSha256 } = action.question
        await engine
          .answer(context, { approvalId, inputSha256, ...action.answer })
          .catch((error: unknown) => {
            become({ ...state, question: undefined })
            failed(error)
          })
        return refresh()
      }
      case 'show':
        return screen.print(card(action.question, Number.POSITIVE_INFINITY))
      case 'say':
        await engine.startTurn(context, { sessionId: session.id, content: action.text })
        return become({ ...state, isBusy: true })
      case 'interrupt':
        await engine.interrupt(context, { sessionId: session.id })
        return
      case 'leave':
        over.abort()
    }
  }
  const onKey = (key: Key) => {
    if (onlyTurn && key === 'ctrl-c') return over.abort()
    if (onlyTurn && !state.question) return
    const { state: next, action } = pressed(state, key, Date.now())
    become(next)
    if (action) void act(action).catch(failed)
  }
  const print = async (events: readonly StoredEvent[]) => {
    for (const stored of events) {
      const { type } = stored.event
      // The card says it better.
      if (type !== 'approval.opened' && !onlyTurn?.hidden.has(type)) screen.print(logLines(stored))
      if (type === 'turn.started' || type === 'prompt.accepted') state = { ...state, isBusy: true }
      if (type === 'turn.ended') {
        state = { ...state, isBusy: false }
        hasEnded = onlyTurn !== undefined
      }
    }
    if (hasEnded) return over.abort()
    if (events.some(({ event }) => ASKED.has(event.type))) await refresh()
    else paint()
  }
  const keys = readKeys(process.stdin, onKey)
  try {
    await refresh()
    const pages = engine.followEvents({ ...context, signal }, { sessionId: session.id, after })
    for await (const page of pages) await print(page.events)
  } finally {
    keys.close()
    if (!onlyTurn)
      screen.print([`${name} keeps running. plexus attach ${name} comes back; plexus stop ${name} ends it.`])
    screen.paint('')
  }
  return hasEnded ? 'turn ended' : 'left'
}

const MOST_LINES = 20
const ASKED: ReadonlySet<string> = new Set(['approval.opened', 'approval.settled', 'approval.escalated'])
