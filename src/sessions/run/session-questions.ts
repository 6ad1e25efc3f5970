import type { DeskSession, Settled } from '../../approvals/desk-sessions.ts'
import type { Grant } from '../../approvals/grants/grant.ts'
import type { ToolCall } from '../../child/policy/hook-opinion.ts'
import type { Decision, EventOf } from '../../events/session-event.ts'
import { SessionWriter } from '../record/session-writer.ts'
import { type Asked, PermitCalls } from './permit-calls.ts'
import type { RunContext } from './run-context.ts'
import { narrowGrants } from './session-grants.ts'
import type { SessionRun } from './session-run.ts'
import { contextNow, type ProcessDeps } from './start-run.ts'

/** What is settled in one session, with others or alone. */
interface SettledQuestions {
  readonly questions: SessionQuestions
  readonly settled: readonly Settled[]
}

/** The questions of one session: asked by calls, settled, escalated, and what was remembered with their answers. */
export class SessionQuestions implements DeskSession {
  readonly #writer: SessionWriter
  readonly #deps: ProcessDeps
  readonly #run: () => SessionRun | undefined
  readonly #permitCalls: PermitCalls

  constructor(deps: ProcessDeps, run: () => SessionRun | undefined) {
    const { writer, environment } = deps
    this.#writer = writer
    this.#deps = deps
    this.#run = run
    this.#permitCalls = new PermitCalls(writer, (call) => this.#context.granted(call), environment.onError)
  }

  /** Settles approvals of one or several sessions, all or none, each once; then they are delivered to the children. */
  static async settle(parts: readonly SettledQuestions[]): Promise<void> {
    await SessionWriter.appendTogether(
      parts.map(({ questions, settled }) => ({
        writer: questions.#writer,
        events: settled.map((one) => ({ type: 'approval.settled', ...one })),
      })),
    )
    for (const { questions, settled } of parts)
      for (const { remembered, by = '' } of settled)
        if (remembered) questions.#deps.grants.add({ ...remembered, by })
    await Promise.all(parts.map(async ({ questions }) => questions.#run()?.deliver()))
  }

  /** Hands a question that waits for an answer to another level. */
  async escalate(escalated: Omit<EventOf<'approval.escalated'>, 'type'>): Promise<void> {
    await this.#writer.append([{ type: 'approval.escalated', ...escalated }])
  }

  /** Notes that a question which waits for an answer got more time. */
  async extend(extended: Omit<EventOf<'approval.extended'>, 'type'>): Promise<void> {
    await this.#writer.append([{ type: 'approval.extended', ...extended }])
  }

  /** A question of the child by a call: opens an approval and waits for its decision. */
  ask(
    asked: Asked,
    { gone, ended }: { gone: AbortSignal; ended?: AbortSignal | undefined },
  ): Promise<Decision> {
    return this.#permitCalls.ask(asked, { gone, ended, closing: this.#deps.closing })
  }

  /** Whether such calls may be allowed for the rest of the session. */
  mayRemember(call: ToolCall): boolean {
    return this.#context.grantable(call)
  }

  /** Whether a note to an allowed call can reach the model. */
  get takesNotes(): boolean {
    return this.#writer.state.takesNotes
  }

  /** Uses the grants on record, narrowed where an older version granted more. */
  async useGrants(onRecord: readonly Grant[]): Promise<void> {
    const { grants, events } = narrowGrants(onRecord, this.#writer.session.workingDirectory)
    if (events.length > 0) await this.#writer.append(events)
    this.#deps.grants.grants = grants
  }

  get #context(): RunContext {
    return this.#run()?.context ?? contextNow(this.#deps)
  }
}
