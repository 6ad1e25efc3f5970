import { setMaxListeners } from 'node:events'
import type { ApprovalId } from '../../base/ids.ts'
import type { Approval } from '../../approvals/approval.ts'
import type { Store } from '../../sessions/record/store.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import { isMarked } from '../../system/process-tree.ts'
import { holdsDialog } from '../../terminals/tried-versions.ts'
import {
  configFolderOf,
  type HookReply,
  NO_OPINION,
  openedBy,
  readHookInput,
  type RelayedAsk,
  replyOf,
} from './hook-question.ts'
import type { Terminal, TerminalSessions } from './terminal-sessions.ts'
import { type Asked, watchQuestion } from './watch-question.ts'

export interface TerminalAsksDeps {
  readonly store: Store
  readonly supervisor: Supervisor
  readonly terminals: TerminalSessions
  readonly onError: (error: unknown) => void
}

/**
 * The questions of terminals whose relays wait for an answer. A relay can only ask: what it gets is what a person, a rule or a
 * grant has decided, or no opinion, with which the dialog of the terminal stays as it is.
 */
export class TerminalAsks {
  readonly #deps: TerminalAsksDeps
  /** The pids of the CLIs whose relays wait, by question. */
  readonly #held = new Map<ApprovalId, number>()
  /** By pid: since when it waited, as it says itself, when its last question was settled. */
  readonly #spent = new Map<number, number>()
  readonly #closing = new AbortController()

  constructor(deps: TerminalAsksDeps) {
    this.#deps = deps
    setMaxListeners(MAX_HELD, this.#closing.signal)
  }

  /** Ends the questions of an earlier hub whose relays do not come back. */
  start(): void {
    const end = () => void this.#endLeft().catch(this.#deps.onError)
    setTimeout(end, COME_BACK_MS).unref()
  }

  async #endLeft(): Promise<void> {
    const { store, supervisor } = this.#deps
    for (const { id, sessionId, carrier } of await store.approvals.pending()) {
      if (carrier !== 'terminal' || this.#held.has(id) || this.#closing.signal.aborted) continue
      const { questions, state } = await supervisor.wake(sessionId)
      const isAsked = state.outside?.status === 'waiting'
      await questions.inTerminal.end(id, isAsked ? 'left to the terminal' : 'answered in the terminal')
    }
  }

  /** The hub ends: relays get no answer, and ask the next hub. Call it before the sessions are closed. */
  close(): void {
    this.#closing.abort()
  }

  /** Undefined if the hub ends before there is an answer. */
  async ask(asked: RelayedAsk, gone: AbortSignal): Promise<HookReply | undefined> {
    // Now, and not when it is stored: another hook may decide in between.
    const arrivedAt = Date.now()
    const input = readHookInput(asked.hookInput)
    if (!input || isMarked(asked.cliPid) || this.#held.size >= MAX_HELD) return NO_OPINION
    const terminal = await this.#deps.terminals.find(configFolderOf(input), asked.cliPid)
    if (!terminal || terminal.status.sessionId !== input.session_id) return NO_OPINION
    if (!holdsDialog(terminal.status.version)) return NO_OPINION
    const opened = openedBy(terminal.live.session.id, asked.askId, input)
    const known = await this.#deps.store.approvals.get(opened.approvalId)
    if (known && known.status !== 'pending') return this.#answerAgain(terminal, known)
    await terminal.live.questions.inTerminal.open(opened)
    const { openedAt: askedAt = arrivedAt } = known ?? {}
    return this.#hold(terminal, { opened, askedAt, transcript: input.transcript_path }, gone)
  }

  /** The answer may have been given while no relay was there to take it. */
  async #answerAgain({ live }: Terminal, { id, decision }: Approval): Promise<HookReply> {
    if (!decision) return NO_OPINION
    await live.questions.inTerminal.noteReturned(id).catch(this.#deps.onError)
    return replyOf(decision)
  }

  async #hold(terminal: Terminal, asked: Asked, gone: AbortSignal): Promise<HookReply | undefined> {
    const { approvalId } = asked.opened
    const { session, questions } = terminal.live
    const { doorbell, stop } = this.#deps.supervisor.doorbells.listen(session.id)
    const stopWatch = this.#watch(terminal, asked, gone)
    try {
      for (;;) {
        const outcome = questions.inTerminal.outcomeOf(approvalId)
        if (outcome === 'over') return NO_OPINION
        if (outcome !== 'open') {
          await questions.inTerminal.noteReturned(approvalId).catch(this.#deps.onError)
          return replyOf(outcome.decision)
        }
        await doorbell.next(RECHECK_MS, this.#closing.signal)
      }
    } catch (error) {
      if (this.#closing.signal.aborted) return undefined
      throw error
    } finally {
      stop()
      stopWatch()
    }
  }

  #watch({ live, status: { pid, configDir } }: Terminal, asked: Asked, gone: AbortSignal): () => void {
    const { terminals, onError } = this.#deps
    const { approvalId } = asked.opened
    const isAlone = ![...this.#held].some(([id, other]) => other === pid && id !== approvalId)
    this.#held.set(approvalId, pid)
    const stop = watchQuestion(
      { live, asked, gone, closing: this.#closing.signal, onError },
      {
        isAlone,
        status: () => terminals.statusOf(pid),
        readAgain: () => terminals.find(configDir, pid),
        onStatus: (listener) => terminals.onChange(listener),
        isSpent: ({ statusUpdatedAt }) => this.#spent.get(pid) === statusUpdatedAt,
      },
    )
    return () => {
      stop()
      this.#held.delete(approvalId)
      const status = terminals.statusOf(pid)
      if (status?.status === 'waiting') this.#spent.set(pid, status.statusUpdatedAt)
    }
  }
}

/** A relay asks again every second. */
const COME_BACK_MS = 10_000
const RECHECK_MS = 60_000
const MAX_HELD = 500
