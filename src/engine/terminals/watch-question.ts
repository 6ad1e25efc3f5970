import { PromiseQueue } from '../../async/promise-queue.ts'
import type { EventOf } from '../../events/session-event.ts'
import type { LiveSession } from '../../sessions/live-session.ts'
import { CallReader } from '../../terminals/call-outcome.ts'
import type { TerminalStatus } from '../../terminals/status-files.ts'
import { afterSign, newTerminalQuestion, type Sign } from './question-end.ts'

/** A question that a relay asks, as it was stored. */
export interface Asked {
  readonly opened: EventOf<'approval.opened'>
  readonly askedAt: number
  /** The path of the transcript, as the CLI named it. */
  readonly transcript: string
}

interface WatchedQuestion {
  readonly live: LiveSession
  readonly asked: Asked
  /** The relay has gone. */
  readonly gone: AbortSignal
  /** The hub ends: from then on nothing is seen. */
  readonly closing: AbortSignal
  readonly onError: (error: unknown) => void
}

/** What is known of the terminal that asks. */
interface AskingTerminal {
  /** No other question of it was open. */
  readonly isAlone: boolean
  readonly status: () => TerminalStatus | undefined
  /** Reads what it says of itself now: on a machine with much to do the report of a change comes late. */
  readonly readAgain: () => Promise<unknown>
  readonly onStatus: (listener: () => void) => () => void
  readonly isSpent: (status: TerminalStatus) => boolean
}

/** Ends a question when it is over in its terminal. Looks for signs of that until the returned function is called. */
export function watchQuestion(question: WatchedQuestion, terminal: AskingTerminal): () => void {
  const { live, asked, gone, closing, onError } = question
  const { approvalId, agentId, toolName, input } = asked.opened
  const transcript = new CallReader(asked.transcript, { toolName, input, askedAt: asked.askedAt })
  let state = newTerminalQuestion({ isAgent: agentId !== undefined, isAlone: terminal.isAlone })
  const see = (sign: Sign) => {
    if (closing.aborted || state.end !== undefined) return
    state = afterSign(state, sign)
    if (state.end === undefined) return
    live.questions.inTerminal.end(approvalId, state.end).catch(onError)
    if (state.end === 'answered in the terminal') lookForHook(question, transcript)
  }
  const reading = new PromiseQueue()
  const read = async () => {
    const status = terminal.status()
    // First: the transcript says how it was decided, the status only that it was.
    const outcome = await transcript.read()
    if (outcome !== 'open') see({ type: 'call over', byHook: outcome === 'decided by a hook' })
    if (status)
      see({ type: 'status', isWaiting: status.status === 'waiting', isSpent: terminal.isSpent(status) })
  }
  const look = () => reading.run(read).catch(onError)
  const leave = () => see({ type: 'relay gone' })
  const readAgain = () => void terminal.readAgain().then(look).catch(onError)
  const lastLook = setTimeout(readAgain, DEADLINE_MS - LAST_LOOK_MS)
  const deadline = setTimeout(() => see({ type: 'deadline' }), DEADLINE_MS)
  const poll = setInterval(() => void look(), POLL_MS)
  const ignore = terminal.onStatus(() => void look())
  gone.addEventListener('abort', leave, { once: true })
  // The relay may have gone while its question was stored.
  if (gone.aborted) leave()
  else void look()
  return () => {
    clearTimeout(lastLook)
    clearTimeout(deadline)
    clearInterval(poll)
    ignore()
    gone.removeEventListener('abort', leave)
  }
}

/** That a hook decided stands in the transcript only when the call has ended. */
function lookForHook({ live, asked, closing, onError }: WatchedQuestion, transcript: CallReader): void {
  let left = MAX_LOOKS
  const look = async () => {
    const outcome = await transcript.read()
    left -= 1
    if (outcome === 'open' && left > 0 && live.state.outside && !closing.aborted) return
    clearInterval(timer)
    if (outcome === 'decided by a hook' && !closing.aborted)
      await live.questions.inTerminal.noteHook(asked.opened.approvalId)
  }
  const timer = setInterval(() => void look().catch(onError), POLL_MS).unref()
}

/** A dialog that the person would see otherwise is never held back for longer. */
const DEADLINE_MS = 2_000
/** So long before the deadline the status is read once more, which takes some milliseconds. */
const LAST_LOOK_MS = 300
const POLL_MS = 1_000
/** How often the end of a call is looked for that was decided in the terminal. */
const MAX_LOOKS = 600
