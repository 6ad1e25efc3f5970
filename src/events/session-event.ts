import { z } from 'zod'
import { ApprovalId, GrantId, RunId } from '../base/ids.ts'
import { STORED_ENDS, VIAS } from '../base/answer-via.ts'
import { RESOURCES } from '../budgets/budget.ts'
import { BudgetSchema } from '../budgets/budget-schema.ts'
import { StoredVerdict } from '../rules/verdict.ts'
import { ApprovalKind, CARRIERS, Level, Remembered, SettlingCaller } from './approval-fields.ts'
import { Decision } from './decision.ts'

const Json = z.unknown()
const Parent = { parent: z.string().optional() }
/** The size of the model's context when it wrote this. */
const Context = { contextTokens: z.number().optional() }

export const ErrorInfo = z.object({ code: z.string(), message: z.string() })
export type ErrorInfo = z.infer<typeof ErrorInfo>

/** The commands of the CLI that a caller may give. A prompt that looks like a command is still a prompt. */
export const Command = z.enum(['compact', 'clear'], 'command must be compact or clear.')
export type Command = z.infer<typeof Command>

/** `shell`: idle, while a shell in the background runs. */
const TERMINAL_STATUSES = ['idle', 'busy', 'waiting', 'shell'] as const

const Used = { resource: z.enum(RESOURCES), spent: z.number(), limit: z.number() }

const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...shape })

/**
 * What can happen in a session: the one union that both API families are built from. An event says what happened and never
 * what to do about it. The log adds its session, seq, turn and time.
 *
 * `parent` is the tool_use id of the Agent call that a sub-agent's event belongs to.
 */
export const SessionEvent = z.discriminatedUnion('type', [
  // The process.
  /** `rules`: those that were remembered before. `notes`: whether the process can take a note after a call. */
  event('run.started', {
    runId: RunId,
    rules: z.array(z.string()).optional(),
    notes: z.boolean().optional(),
  }),
  /** An earlier Plexus started the process with less protection than a new process has: it ends when it is idle. */
  event('run.outdated', { runId: RunId, protection: z.number(), needed: z.number() }),
  /** `stopped` if Plexus ended it. */
  event('run.ended', { runId: RunId, stopped: z.boolean().optional(), error: ErrorInfo.optional() }),

  // Turns. A prompt belongs to the turn that echoes its id; a turn may also begin by itself.
  /** With `command` the prompt is that command, and `content` is its spelling for the CLI. */
  event('prompt.accepted', {
    promptId: z.string(),
    content: z.union([z.string(), z.array(Json)]),
    command: Command.optional(),
    /** Plexus sent the prompt, because of this question or end of a session below. */
    wakesFor: z.string().optional(),
  }),
  event('prompt.echoed', { promptId: z.string() }),
  event('prompt.withdrawn', { promptId: z.string() }),
  event('turn.started', {
    cliSessionId: z.string(),
    cliVersion: z.string().optional(),
    model: z.string().optional(),
    permissionMode: z.string().optional(),
    workingDirectory: z.string().optional(),
  }),
  event('turn.ended', {
    outcome: z.enum(['done', 'failed', 'interrupted']),
    result: z.string().optional(),
    structuredOutput: Json.optional(),
    error: ErrorInfo.optional(),
    turns: z.number().optional(),
    durationMs: z.number().optional(),
  }),
  /** In US dollars; `total` is the process's own sum, which may begin again at 0 in the next process. */
  event('cost.reported', {
    total: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    /** The process's own sum of all tokens of all models, cached ones too. */
    tokens: z.number().optional(),
    /** The same sums for each model. */
    models: z.record(z.string(), z.object({ usd: z.number(), tokens: z.number() })).optional(),
    /** The size of each model's context window. */
    contextWindows: z.record(z.string(), z.number()).optional(),
  }),

  // Output and calls of the model.
  /** The model has written a message of so many tokens; the message itself comes before. */
  event('message.ended', { outputTokens: z.number(), ...Parent }),
  event('text.streamed', { text: z.string() }),
  event('text', {
    messageId: z.string().optional(),
    uuid: z.string().optional(),
    text: z.string(),
    ...Context,
    ...Parent,
  }),
  event('thinking', {
    messageId: z.string().optional(),
    uuid: z.string().optional(),
    text: z.string(),
    ...Context,
    ...Parent,
  }),
  event('tool.used', {
    toolUseId: z.string(),
    toolName: z.string(),
    input: Json,
    messageId: z.string().optional(),
    uuid: z.string().optional(),
    ...Context,
    ...Parent,
  }),
  event('tool.finished', { toolUseId: z.string(), isError: z.boolean(), content: z.string(), ...Parent }),

  // Supervision. `tool.seen` is our hook: it precedes every call that runs.
  event('tool.seen', {
    requestId: z.string(),
    toolUseId: z.string(),
    toolName: z.string(),
    opinion: z.enum(['none', 'ask', 'deny']),
    agentId: z.string().optional(),
    /** The folder of the child's shell. */
    cwd: z.string().optional(),
    /** Of a call that our hook denies, because no question shows it. */
    input: Json.optional(),
    /** The rule of the user that answers the question which our hook forces, and the hash of the input that it matched. */
    answer: z.object({ rule: z.string(), inputSha256: z.string() }).optional(),
    /** What the rules of Plexus said of the call. */
    verdict: StoredVerdict.optional(),
  }),
  /** Our hook after a call: the child waits for what we add to the result. */
  event('tool.returned', {
    requestId: z.string(),
    toolUseId: z.string(),
    failed: z.literal(true).optional(),
  }),
  /** The call ran, and nobody was asked. With a cause it bypassed us: our hook never saw it, or another program answered. */
  event('tool.unasked', {
    toolUseId: z.string(),
    toolName: z.string(),
    cause: z.enum(['not seen', 'answered elsewhere']).optional(),
    /** The rule of the start options by which the CLI ran it. */
    rule: z.string().optional(),
  }),
  event('tool.refused', { toolUseId: z.string(), toolName: z.string(), message: z.string() }),
  event('approval.opened', {
    approvalId: ApprovalId,
    kind: ApprovalKind,
    requestId: z.string(),
    toolName: z.string(),
    input: z.record(z.string(), Json),
    toolUseId: z.string().optional(),
    agentId: z.string().optional(),
    suggestions: z.array(Json).optional(),
    reason: z.string().optional(),
    blockedPath: z.string().optional(),
    cwd: z.string().optional(),
    /** How the question reached the hub; `control` if absent. */
    carrier: z.enum(CARRIERS).optional(),
    /** The rule by which it is asked about. */
    verdict: StoredVerdict.optional(),
    /** The withdrawn question that asked the same: the answer goes to this one. */
    supersedes: ApprovalId.optional(),
    /** When it was asked, in ms since 1970, where a person is asked: there questions are counted. */
    askedAt: z.number().optional(),
    /** Very many came before it, so a person is not shown it yet. */
    held: z.literal(true).optional(),
    /** Plexus asks this: it stands for all that is held back. */
    flood: z.literal(true).optional(),
  }),
  event('approval.settled', {
    approvalId: ApprovalId,
    status: z.enum(['allowed', 'denied', 'expired', 'withdrawn']),
    decision: Decision.optional(),
    by: z.string().optional(),
    level: Level.optional(),
    /** Absent where nobody decided, and in events of an older version. */
    via: z.enum(VIAS).optional(),
    /** The answer also allows such calls from now on. */
    remembered: Remembered.optional(),
    /** The grant that decided it in advance. */
    grantId: GrantId.optional(),
    /** The rule of the user that decided it. */
    rule: z.string().optional(),
    /** The caller that answered, with what proves it. */
    caller: SettlingCaller.optional(),
    /** When a list or a look-up first returned the question, in ms since 1970; absent if none did in this hub. */
    shownAt: z.number().optional(),
    /** The rule of Plexus that decided it. */
    verdict: StoredVerdict.optional(),
    /** Of a question that came from a terminal. */
    carrier: z.literal('terminal').optional(),
    /** The answer to the question that stands for what is held back. */
    flood: z.enum(['show', 'deny']).optional(),
    /** How it ended, where the status does not say it. */
    end: z.enum(STORED_ENDS).optional(),
    /** It was denied without a reason: until then, in ms since 1970, the same call is denied and nobody is asked. */
    repeatsUntil: z.number().optional(),
    /** It repeats the call of this question, which was denied without a reason. */
    repeats: ApprovalId.optional(),
  }),
  /** What was remembered has reached its end: such calls are asked about again. */
  event('grant.expired', { grantId: GrantId }),
  /** A caller ended what was remembered. */
  event('grant.revoked', { grantId: GrantId, by: z.string() }),
  /** An earlier version narrowed a grant: `rules`, which nobody chose, were removed, and `rule` is what remains. */
  event('grant.narrowed', { grantId: GrantId, rules: z.array(z.string()), rule: Json }),
  /** The responsible caller handed the question up; `to` is a session id, or `owner`. */
  event('approval.escalated', {
    approvalId: ApprovalId,
    by: z.string(),
    to: z.string(),
    note: z.string().optional(),
  }),
  /** The question got more time; `until` is when it is denied without an answer, in ms since 1970. */
  event('approval.extended', { approvalId: ApprovalId, by: z.string(), until: z.number() }),
  event('request.cancelled', { requestId: z.string() }),
  /** The child sent a request that we do not know; it gets an error, so that it does not hang. */
  event('request.unknown', { requestId: z.string(), subtype: z.string() }),

  // Budgets. `of` is the session whose budget it is: this one, or one above.
  /** A caller set the budget of this session; without one it has no limit of its own. */
  event('budget.set', { budget: BudgetSchema.optional(), by: z.string() }),
  /** Most of the budget of this session is spent, by it and the sessions below it. */
  event('budget.low', { ...Used }),
  /** The budget is spent, so the turn is interrupted. */
  event('budget.used_up', { of: z.string(), ...Used, message: z.string() }),

  // Other changes that matter to a reader.
  event('mode.changed', { mode: z.string() }),
  /** A caller chose the model for this and all later processes. */
  event('model.chosen', { model: z.string() }),
  event('api.retried', {
    attempt: z.number(),
    maxRetries: z.number(),
    delayMs: z.number(),
    status: z.number().optional(),
    error: z.string(),
  }),
  event('context.compacted', {
    trigger: z.string(),
    before: z.number().optional(),
    after: z.number().optional(),
  }),
  event('task.started', {
    taskId: z.string(),
    kind: z.string(),
    toolUseId: z.string().optional(),
    description: z.string(),
  }),
  event('task.ended', { taskId: z.string(), status: z.string() }),
  /** The session has read this end of a session below itself: no prompt needs to report it. */
  event('below.seen', { news: z.string() }),
  /** A caller ended the process; none is started until the next prompt. */
  event('session.stopped', {}),
  /**
   * A process that is not ours has the conversation from here on: a `claude` of `plexus run`, or one in a terminal. What is said
   * there is not in this log. With `startedAt` the process is not mistaken for a later one with its pid; it is empty if the process had gone.
   */
  event('session.handed_over', {
    to: z.enum(['command', 'terminal']),
    pid: z.number(),
    startedAt: z.string(),
    /** Nobody handed it over: a person started a CLI in a terminal, and the hub found it. */
    found: z.literal(true).optional(),
    /** It was a session of ours before, and stays one when that CLI has ended. */
    own: z.literal(true).optional(),
  }),
  /** What the CLI in the terminal says of itself; `waitingFor` are its own words. */
  event('terminal.changed', {
    status: z.enum(TERMINAL_STATUSES),
    waitingFor: z.string().optional(),
  }),
  /** What seemed to be answered in the terminal was decided by a hook there: that is known when the call has ended. */
  event('terminal.hook_found', { approvalId: ApprovalId }),
  /** The process outside has ended. `gone`: nobody reported it, the hub found it. */
  event('session.returned', {
    exitCode: z.number().optional(),
    signal: z.string().optional(),
    cliSessionId: z.string().optional(),
    gone: z.literal(true).optional(),
  }),
  /** The process can no longer reach the hub for sessions below it; the next process can. */
  event('nesting.ended', { reason: z.string() }),
  /** The CLI continues under another session id, which the next turn reports; 2.1.197 reports it only there. */
  event('conversation.cleared', {}),

  /** Valid JSON of a kind we do not know. */
  event('line.unknown', { line: Json }),
  /** Not JSON, or longer than the limit: it may have contained a question. */
  event('line.unparsed', { text: z.string(), bytes: z.number() }),
])
export type SessionEvent = z.infer<typeof SessionEvent>
export type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>
