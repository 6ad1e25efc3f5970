import { PromiseQueue } from '../../async/promise-queue.ts'
import { AppError } from '../../base/errors.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { ClientHub } from '../command.ts'
import { Deliveries } from './deliveries.ts'
import { asked, unread, withEdited } from '../dialog/dialog.ts'
import { withOffers } from '../dialog/dialog-offers.ts'
import type { Key } from '../terminal/terminal-keys.ts'
import type { TerminalLook } from '../terminal/terminal-look.ts'
import { questionId } from '../views/question-views.ts'
import { editedLines, paintedCard } from '../views/question-cards.ts'
import { labelOf, oneLine, shortFolder, typedName } from '../views/session-words.ts'
import { type Activity, activityOf, afterEvent } from './activity.ts'
import { fittingCard, wholeCard } from './card-on-screen.ts'
import type { FollowScreen } from './follow-screen.ts'
import {
  type FollowAction,
  type FollowState,
  initialFollowState,
  pressed,
  withShown,
} from './follow-state.ts'
import { FollowedLog } from './followed-log.ts'
import { footerOf } from './footer-lines.ts'
import { numberedKey } from './numbered-keys.ts'
import { readOffers } from './read-offers.ts'

/** Opens the input of a call in an editor and returns it as it was saved; undefined if nothing was changed. */
export type EditInput = (question: PendingQuestion) => Promise<Readonly<Record<string, unknown>> | undefined>

/** Only the questions of one turn are answered. Events of the hidden types are not printed. */
export interface OnlyTurn {
  readonly signal: AbortSignal
  readonly hidden: ReadonlySet<string>
}

export interface FollowDeps {
  readonly client: ClientHub
  readonly session: Session
  readonly screen: FollowScreen
  readonly homeFolder: string | undefined
  readonly look: TerminalLook
  /** Aborted when the person leaves. */
  readonly over: AbortController
  readonly edit: EditInput | undefined
  readonly onlyTurn?: OnlyTurn | undefined
}

/** A session on a screen: its events, its questions, and what the person does about them. */
export class FollowedSession {
  readonly #deps: FollowDeps
  readonly #deliveries: Deliveries
  readonly #log: FollowedLog
  /** One reading of the open questions at a time: none is shown twice. */
  readonly #readings = new PromiseQueue()
  #session: Session
  #state: FollowState
  #activity: Activity
  #more = 0
  readonly #works = new Set<Promise<void>>()
  /** The turn was interrupted here and has not ended yet: the next Ctrl-C leaves. */
  #isInterrupting = false
  /** With `onlyTurn`: the turn is over. */
  hasEnded = false
  /** The conversation was handed over to a terminal. */
  isInTerminal = false
  /** Gives the terminal to another program. */
  lend: <T>(work: () => Promise<T>) => Promise<T> = (work) => work()

  constructor(deps: FollowDeps) {
    this.#deps = deps
    this.#session = deps.session
    this.#deliveries = new Deliveries(deps.client)
    this.#log = new FollowedLog(deps.homeFolder, deps.onlyTurn?.hidden)
    this.#activity = activityOf(deps.session)
    const leaving = deps.onlyTurn && 'Ctrl-C ends it.'
    this.#state = { ...initialFollowState(deps.edit !== undefined, leaving), isBusy: this.#activity.isBusy }
  }

  async run(after: number): Promise<void> {
    const { client, over, screen, homeFolder } = this.#deps
    const { engine, context } = client
    const { workingDirectory, permissionMode, config } = this.#session
    const mode = permissionMode ?? config.permissionMode
    if (!this.#deps.onlyTurn)
      screen.print([
        `${labelOf(this.#session)} in ${shortFolder(workingDirectory, homeFolder)}, mode ${mode}`,
      ])
    this.paint()
    const call = { ...context, signal: over.signal }
    let isFirst = true
    for await (const { events } of engine.followEvents(call, { sessionId: this.#session.id, after })) {
      await this.#print(events, isFirst)
      isFirst = false
    }
  }

  paint(): void {
    if (this.#deps.onlyTurn && !this.#state.dialog.question) return this.#deps.screen.clear()
    const { name, costUsd, timeoutMs } = { ...this.#session, name: typedName(this.#session) }
    const { homeFolder, screen } = this.#deps
    const context = { name, costUsd, timeoutMs, homeFolder, more: this.#more, now: Date.now() }
    screen.paint(footerOf(this.#state, this.#activity, context))
  }

  tick(): void {
    if (!this.#deps.look.isPlain) this.paint()
    void this.#printArrived()
  }

  presenceChanged(): void {
    const awaySince = this.#deps.client.presence?.awaySince
    this.#become({ ...this.#state, awaySince, dialog: unread(this.#state.dialog, Date.now()) })
    if (awaySince === undefined) void this.#readQuestions().catch(() => {})
  }

  press(key: Key): void {
    if (this.#deps.onlyTurn && key === 'ctrl-c') return this.#deps.over.abort()
    if (this.#deps.onlyTurn && !this.#state.dialog.question) return
    const keyFor = this.#deps.look.isPlain ? numberedKey : undefined
    const { state, action } = pressed(this.#state, key, Date.now(), keyFor)
    this.#become(state)
    if (!action) return
    const work = this.#act(action).catch((error: unknown) => this.#failed(error))
    this.#works.add(work)
    void work.finally(() => this.#works.delete(work))
  }

  /** Once all that the person has asked for is done. */
  async settled(): Promise<void> {
    await Promise.all(this.#works)
  }

  #become(state: FollowState): void {
    this.#state = state
    this.paint()
  }

  #failed(error: unknown): void {
    const message = error instanceof AppError ? error.message : 'It did not work.'
    this.#deps.screen.print([`! ${oneLine(message)}`])
    this.paint()
  }

  async #act(action: FollowAction): Promise<void> {
    const { client, over, screen } = this.#deps
    const { engine, context } = client
    const sessionId = this.#session.id
    switch (action.type) {
      case 'answer': {
        const { question, answer } = action
        const { id: approvalId, inputSha256 } = question
        this.#log.noteShown(question, true)
        try {
          await engine.answer(context, { approvalId, inputSha256, ...answer })
          this.#deliveries.add(question)
          await this.#printArrived()
        } catch (error) {
          this.#log.noteShown(question, false)
          this.#failed(error)
          this.#become({ ...this.#state, dialog: asked(this.#state.dialog, Date.now()) })
        }
        return this.#readQuestions()
      }
      case 'show':
        return screen.printExact(await wholeCard(this.#deps, action.question))
      case 'edit':
        return this.#edit(action.question)
      case 'read offers': {
        const offered = await readOffers(client, action.question)
        const dialog = withOffers(this.#state.dialog, action.question, offered)
        return this.#become({ ...this.#state, dialog })
      }
      case 'extend':
        await engine.extend(context, { approvalId: action.question.id })
        screen.print([`  ${questionId(action.question)} has more time`])
        return this.#readQuestions()
      case 'say':
        await engine.startTurn(context, { sessionId, content: action.text })
        return
      case 'interrupt':
        this.#isInterrupting = true
        await engine.interrupt(context, { sessionId })
        return
      case 'leave':
        over.abort()
    }
  }

  async #edit(question: PendingQuestion): Promise<void> {
    const { edit, screen, look } = this.#deps
    const edited = edit && (await this.lend(() => edit(question)))
    const { dialog } = this.#state
    // It may have been settled while the editor was open.
    if (edited === undefined || dialog.question?.id !== question.id) return this.paint()
    screen.printExact(paintedCard(editedLines(question, edited), look.style))
    this.#become({ ...this.#state, dialog: withEdited(dialog, edited, Date.now()) })
  }

  async #print(events: readonly StoredEvent[], isFirst: boolean): Promise<void> {
    const { screen } = this.#deps
    for (const stored of events) {
      screen.print(this.#log.linesOf(stored, isFirst))
      this.#activity = afterEvent(this.#activity, stored, this.#deps.homeFolder)
      if (TURNED.has(stored.event.type)) this.#isInterrupting = false
      if (stored.event.type === 'session.handed_over') this.isInTerminal = stored.event.to === 'terminal'
      if (stored.event.type === 'session.returned') this.isInTerminal = false
    }
    this.#state = { ...this.#state, isBusy: this.#activity.isBusy && !this.#isInterrupting }
    this.paint()
    if (this.#deps.onlyTurn && events.some(({ event }) => event.type === 'turn.ended')) {
      this.hasEnded = true
      return this.#deps.over.abort()
    }
    if (isFirst || events.some(({ event }) => ASKED.has(event.type))) await this.#readQuestions()
    if (events.some(({ event }) => event.type === 'cost.reported')) await this.#readSession()
    await this.#printArrived()
  }

  /** The question on the screen stays there while it is open; then the oldest is shown. */
  #readQuestions(): Promise<void> {
    return this.#readings.run(async () => {
      const { client, screen } = this.#deps
      const open = await client.engine.pending(client.context, { sessionId: this.#session.id })
      const before = this.#state.dialog.question
      const question = open.find(({ id }) => id === before?.id) ?? open[0]
      this.#more = Math.max(0, open.length - 1)
      const isNew = question && (question.id !== before?.id || question.inputSha256 !== before.inputSha256)
      if (isNew) {
        this.#log.noteShown(question, false)
        screen.print(await fittingCard(this.#deps, question))
      }
      this.#become(withShown(this.#state, question, Date.now()))
    })
  }

  async #readSession(): Promise<void> {
    const { engine, context } = this.#deps.client
    this.#session = await engine
      .getSession(context, { sessionId: this.#session.id })
      .catch(() => this.#session)
    this.paint()
  }

  async #printArrived(): Promise<void> {
    const lines = await this.#deliveries.arrived()
    if (lines.length === 0) return
    this.#deps.screen.print(lines.map((line) => `  ${line}`))
    this.paint()
  }
}

const TURNED: ReadonlySet<string> = new Set(['prompt.accepted', 'turn.ended'])
const ASKED: ReadonlySet<string> = new Set(['approval.opened', 'approval.settled', 'approval.escalated'])
