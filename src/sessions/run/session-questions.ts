import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import type { DeskSession, Settled } from '../../approvals/desk-sessions.ts'
import type { Grant } from '../../approvals/grants/grant.ts'
import type { ScopePlace } from '../../approvals/grants/remember.ts'
import { requestEvents } from '../../child/lines/request-to-events.ts'
import { type HookOutput, hookOutput } from '../../child/lines/stdin-messages.ts'
import type { Opinion, ToolCall } from '../../child/policy/hook-opinion.ts'
import type { Decision } from '../../events/decision.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import type { Rule } from '../../rules/rule.ts'
import type { StoredVerdict } from '../../rules/verdict.ts'
import { SessionWriter } from '../writing/session-writer.ts'
import { type Asked, PermitCalls } from './permit-calls.ts'
import type { RunContext } from './run-context.ts'
import type { SessionRules } from '../in-advance/session-rules.ts'
import type { SessionRun } from './session-run.ts'
import type { ProcessDeps } from './process-deps.ts'
import { contextNow } from './start-run.ts'
import { TerminalQuestions } from './terminal-questions.ts'

type Remembered = NonNullable<Settled['remembered']>

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
  /** Those that a CLI in a terminal asks. */
  readonly inTerminal: TerminalQuestions

  constructor(deps: ProcessDeps, run: () => SessionRun | undefined) {
    const { writer, environment } = deps
    this.#writer = writer
    this.#deps = deps
    this.#run = run
    const decided: RunContext['decided'] = (call) => this.#context.decided(call)
    this.#permitCalls = new PermitCalls(writer, decided, environment.onError)
    this.inTerminal = new TerminalQuestions(writer, decided)
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
      for (const { approvalId, remembered, by = '' } of settled)
        if (remembered) questions.#useRemembered(approvalId, remembered, by)
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

  /** The opinion of our hook on a call of a process outside, whose hook we run: stored as those of a child are. */
  async judge(hookInput: unknown): Promise<HookOutput> {
    // The hook of a child of ours needs no call: it could only forge its record by one.
    if (this.#writer.state.runId !== undefined)
      throw new AppError('forbidden', 'Only a process outside Plexus has its calls judged so.')
    const request = { subtype: 'hook_callback', callback_id: 'plexus', input: hookInput }
    const line = { type: 'control_request', request_id: randomUUID(), request } as const
    const [seen] = requestEvents(line, this.#context)
    if (seen?.type !== 'tool.seen') return hookOutput('ask')
    const { toolUseId, toolName } = seen
    const used: SessionEvent[] =
      toolUseId === '' ? [] : [{ type: 'tool.used', toolUseId, toolName, input: inputIn(hookInput) }]
    await this.#writer.append([...used, seen])
    return hookOutput(seen.opinion, seen.verdict)
  }

  /** Why such a call would be asked about again although these rules were remembered, after "because". */
  askedDespite(call: ToolCall, rules: readonly Rule[]): string | undefined {
    return this.#context.askedDespite(call, rules)
  }

  /** Where the session works, as the rules that a question offers are made from it. */
  get offerContext(): { readonly place: RunContext['place']; readonly harmlessIsAllowed: boolean } {
    const { supervise } = this.#writer.session.config
    return { place: this.#context.place, harmlessIsAllowed: supervise === 'asked' }
  }

  /** What our hook would answer to such a call, and by which rule; nothing is stored. */
  test(call: ToolCall): Opinion {
    return this.#context.opinion(call)
  }

  /** What the scopes of a remembered answer are made of. */
  get scopePlace(): ScopePlace {
    const { id: sessionId, workingDirectory } = this.#writer.session
    const topmost = this.#deps.rules.ancestors.findLast(({ gone }) => !gone)
    const { turn } = this.#deps.grants
    return {
      sessionId,
      topmostId: topmost?.id ?? sessionId,
      workingDirectory,
      ...(turn === undefined ? {} : { turn }),
    }
  }

  /** The time of the clock by which grants end. */
  hubTime(): number {
    return this.#deps.grants.now()
  }

  /** The rule that forbids such a call, whatever anybody answers. */
  forbiddenBy(call: ToolCall): StoredVerdict | undefined {
    const verdict = this.#deps.rules.forbidden(call, this.#context.place)
    return verdict?.effect === 'forbid' ? verdict : undefined
  }

  /** Whether a note to an allowed call can reach the model. */
  get takesNotes(): boolean {
    return this.#writer.state.takesNotes
  }

  /** Uses the grants on record that hold for this session alone. */
  useGrants(onRecord: readonly Grant[]): void {
    this.#deps.grants.use(onRecord)
  }

  /** Notes in the log of the session that asked that its grant has ended. */
  async noteEnd(event: EventOf<'grant.expired' | 'grant.revoked'>): Promise<void> {
    await this.#writer.append([event])
  }

  #useRemembered(approvalId: Settled['approvalId'], remembered: Remembered, by: string): void {
    const { id, scope, rules, endsAt } = remembered
    if (!scope || !rules) return
    const { id: sessionId } = this.#writer.session
    const at = this.hubTime()
    this.#deps.grants.add({
      id,
      sessionId,
      approvalId,
      by,
      at,
      scope,
      rules,
      ...(endsAt === undefined ? {} : { endsAt }),
    })
  }

  /** The sessions above, the nearest first: no rule allows what one of them may not do. */
  useAncestors(ancestors: SessionRules['ancestors']): void {
    this.#deps.rules.ancestors = ancestors
  }

  get #context(): RunContext {
    return this.#run()?.context ?? contextNow(this.#deps)
  }
}

function inputIn(hookInput: unknown): unknown {
  return z.object({ tool_input: z.unknown() }).safeParse(hookInput).data?.tool_input
}
