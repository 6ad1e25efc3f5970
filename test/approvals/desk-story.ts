/** Runs steps at a desk, and records the result of each for every caller. */
import type { Approval } from '../../src/approvals/approval.ts'
import type { Caller } from '../../src/callers/access-rules.ts'
import { answerQuestion } from '../../src/engine/questions/answer-question.ts'
import type { ChildAsks } from '../../src/events/approval-fields.ts'
import type { Decision } from '../../src/events/decision.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import type { DeskLives } from '../rig/hubs/desk-lives.ts'
import { answerTo, askedAbout, type Choice } from './desk-question.ts'
import type { Name, Step } from './desk-steps.ts'
import { asApprovalId, asCallerId, asRunId } from '../rig/tools/ids.ts'

export interface Asked {
  readonly n: number
  readonly session: number
  readonly carrier: 'control' | 'mcp'
  readonly kind: ChildAsks
  readonly toolName: string
  /** Answered inside the notification that it was opened. */
  readonly inNotice: 'allow' | 'deny' | undefined
  readonly requestId: string
  readonly toolUseId: string
  readonly input: Record<string, unknown>
  /** By the clock that does not jump. */
  readonly openedAt: number
  /** Aborted when its child no longer waits for an answer. */
  readonly gone: AbortController
  /** The decision that the asking call returned, and the approvals that were safe on disk then. */
  reply?: { readonly decision: Decision; readonly safe: ReadonlySet<string> }
  refused?: unknown
}

export interface Attempt {
  readonly question: Asked
  readonly by: Name
  readonly choice: Choice
  result?: Approval
  refused?: unknown
}

export class DeskStory {
  readonly lives: DeskLives
  readonly sessions: readonly Session[]
  readonly questions: Asked[] = []
  readonly attempts: Attempt[] = []
  /** The last row of the record before this story. */
  readonly recordedBefore: number

  constructor(lives: DeskLives, sessions: readonly Session[], recordedBefore: number) {
    this.lives = lives
    this.recordedBefore = recordedBefore
    this.sessions = sessions
    lives.onStored = (event) => {
      if (event.type !== 'approval.opened') return
      const asked = this.questions.find((one) => one.toolUseId === event.toolUseId)
      if (asked?.inNotice) this.#answer(asked, { choice: asked.inNotice, edited: false, by: 'operator' })
    }
  }

  /** Starts the step without waiting for its effects. */
  async begin(step: Step): Promise<void> {
    switch (step.do) {
      case 'open':
        return this.#open(step)
      case 'answer':
        return this.#answer(this.questions[step.question], step)
      case 'advance':
        return this.lives.clock.advance(step.ms)
      case 'jump':
        return this.lives.clock.jump(step.ms)
      case 'withdraw':
      case 'finish':
        return this.#closeBy(this.questions[step.question], step.do)
      case 'end run':
        for (const one of this.questions) if (one.session === step.session) one.gone.abort()
        return this.#append(step.session, [
          { type: 'run.ended', runId: asRunId('run') },
          { type: 'run.started', runId: asRunId('run') },
        ])
      case 'crash':
        return this.#restart()
    }
  }

  #open({ session, carrier, inNotice, ...options }: Step & { do: 'open' }): void {
    const n = this.questions.length
    const kind = carrier === 'mcp' && options.kind === 'form' ? 'tool' : options.kind // a form is not a tool
    const asked: Asked = {
      n,
      session,
      carrier,
      kind,
      inNotice,
      requestId: `r${n}`,
      toolUseId: `t${n}`,
      ...askedAbout(kind, n),
      openedAt: this.lives.clock.steady,
      gone: new AbortController(),
    }
    this.questions.push(asked)
    if (carrier === 'mcp') return this.#ask(asked)
    const { requestId, toolUseId, toolName, input } = asked
    const about = { approvalId: asApprovalId(`a${n}`), requestId, kind, toolName, toolUseId, input }
    this.#append(session, [{ type: 'approval.opened', ...about }])
  }

  /** Asks by a call that waits; asked again after a restart of the hub. */
  #ask(asked: Asked): void {
    const { seats, over } = this.lives.life
    const { toolName, toolUseId, input, gone } = asked
    const ends = { gone: gone.signal, ended: over.signal, closing: over.signal }
    seats
      .get(this.#idOf(asked.session))
      ?.askers.ask({ toolName, input, toolUseId }, ends)
      .then(
        (decision) => (asked.reply ??= { decision, safe: new Set(this.lives.durable.keys()) }),
        (error: unknown) => {
          if (!over.signal.aborted) asked.refused = error
        },
      )
  }

  #answer(asked: Asked | undefined, { choice, edited, by }: Choice & { by: Name }): void {
    const session = this.sessions[asked?.session ?? 0]
    if (!asked || !session) return
    const attempt: Attempt = { question: asked, by, choice: { choice, edited } }
    this.attempts.push(attempt)
    const { store, desk } = this.lives.life
    const named =
      asked.carrier === 'mcp'
        ? { approvalId: asked.toolUseId, sessionId: session.id }
        : { approvalId: `a${asked.n}` }
    answerQuestion({ store, desk }, callerOf(by, session), named, answerTo(asked.kind, attempt.choice)).then(
      (approval) => (attempt.result = approval),
      (error: unknown) => (attempt.refused = error),
    )
  }

  #closeBy(asked: Asked | undefined, how: 'withdraw' | 'finish'): void {
    if (!asked) return
    asked.gone.abort()
    const { toolUseId, requestId } = asked
    if (how === 'finish')
      this.#append(asked.session, [{ type: 'tool.finished', toolUseId, isError: false, content: '' }])
    else if (asked.carrier === 'control')
      this.#append(asked.session, [{ type: 'request.cancelled', requestId }])
  }

  async #restart(): Promise<void> {
    await this.lives.crash()
    await this.lives.begin(this.sessions.map(({ id }) => id))
    for (const asked of this.questions)
      if (asked.carrier === 'mcp' && !asked.reply && !asked.refused && !asked.gone.signal.aborted)
        this.#ask(asked)
  }

  /** The events are in the output of the child, so a hub that crashes before it has stored them reads them again. */
  #append(session: number, events: SessionEvent[]): void {
    const seat = this.lives.life.seats.get(this.#idOf(session))
    seat?.writer
      .append(events)
      .then(() => seat.deliver())
      .catch((error: unknown) => this.lives.errors.push(error))
  }

  #idOf(session: number): string {
    return this.sessions[session]?.id ?? ''
  }
}

function callerOf(name: Name, session: Pick<Session, 'id' | 'parentId'>): Caller {
  const scopes: string[] = []
  if (name === 'operator' || name === 'model')
    return { id: asCallerId('operator'), kind: 'operator', name, scopes, person: name === 'operator' }
  if (name === 'owner' || name === 'stranger')
    return { id: asCallerId(name), kind: 'client', name, scopes, person: false }
  const names = { parent: session.parentId ?? '', self: session.id, sibling: 'sibling' }
  return { id: asCallerId(name), kind: 'session', name: names[name], scopes: ['nested'], person: false }
}
