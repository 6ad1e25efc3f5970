import { z } from 'zod'
import { VIAS } from '../base/answer-via.ts'

/**
 * What can happen in a session: the one union that both API families are told from. An event says what
 * happened and never what to do about it. Its place (session, seq, turn, time) is the log's business.
 *
 * `parent` is the tool_use id of the Agent call that a sub-agent's event belongs to.
 */
const Json = z.unknown()
const Parent = { parent: z.string().optional() }
/** How much the model had before it when it said this, in the main conversation. */
const Context = { contextTokens: z.number().optional() }

export const ErrorInfo = z.object({ code: z.string(), message: z.string() })
export type ErrorInfo = z.infer<typeof ErrorInfo>

export const ApprovalKind = z.enum(['tool', 'plan', 'question', 'form'])
export type ApprovalKind = z.infer<typeof ApprovalKind>

/** What the child is told. Allow always carries the input that runs, deny always a reason. */
export const Decision = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    updatedInput: z.record(z.string(), Json),
    updatedPermissions: z.array(Json).optional(),
    /** A note for the model, which reads it behind the result of the call. */
    message: z.string().optional(),
  }),
  z.object({ behavior: z.literal('deny'), message: z.string(), interrupt: z.boolean().optional() }),
  z.object({
    behavior: z.literal('form'),
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.record(z.string(), Json).optional(),
  }),
])
export type Decision = z.infer<typeof Decision>

/**
 * From which level an answer came: from a session above (0 is the one right above the asking, 1 the one above that, …),
 * from the owner of the tree, or from a person.
 */
export const Level = z.union([z.int().min(0), z.enum(['owner', 'person'])])
export type Level = z.infer<typeof Level>

/** The commands of the CLI that a caller may give. A text that reads like one is a text. */
export const Command = z.enum(['compact', 'clear'], 'command must be compact or clear.')
export type Command = z.infer<typeof Command>

const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...shape })

export const SessionEvent = z.discriminatedUnion('type', [
  // The process.
  /** With the rules that were remembered before it; `notes` if it can be given a note behind a call. */
  event('run.started', {
    runId: z.string(),
    rules: z.array(z.string()).optional(),
    notes: z.boolean().optional(),
  }),
  /** It was started by an earlier Plexus, with less protection than one has today: it ends when it is idle. */
  event('run.outdated', { runId: z.string(), protection: z.number(), needed: z.number() }),
  /** `stopped` when we ended it. */
  event('run.ended', { runId: z.string(), stopped: z.boolean().optional(), error: ErrorInfo.optional() }),

  // Turns. A prompt belongs to the turn that echoes its id; a turn may also begin by itself.
  /** With `command` it is that command, and `content` is how the CLI spells it. */
  event('prompt.accepted', {
    promptId: z.string(),
    content: z.union([z.string(), z.array(Json)]),
    command: Command.optional(),
    /** We said it, because of this question or end of a session below. */
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
    /** How much each model can have before it. */
    contextWindows: z.record(z.string(), z.number()).optional(),
  }),

  // What the model says and does.
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
    /** The folder that the child's shell was in. */
    cwd: z.string().optional(),
    /** The rule of the user that answers the question which our hook forces, and what it was found for. */
    answer: z.object({ rule: z.string(), inputSha256: z.string() }).optional(),
  }),
  /** Our hook behind a call: the child waits for what we add to the result. */
  event('tool.returned', {
    requestId: z.string(),
    toolUseId: z.string(),
    failed: z.literal(true).optional(),
  }),
  /** It ran, and nobody was asked. With a cause it ran past us: our hook never saw it, or somebody else answered. */
  event('tool.unasked', {
    toolUseId: z.string(),
    toolName: z.string(),
    cause: z.enum(['not seen', 'answered elsewhere']).optional(),
  }),
  event('tool.refused', { toolUseId: z.string(), toolName: z.string(), message: z.string() }),
  event('approval.opened', {
    approvalId: z.string(),
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
    /** How it was asked: `control` unless told. */
    carrier: z.enum(['control', 'mcp']).optional(),
  }),
  event('approval.settled', {
    approvalId: z.string(),
    status: z.enum(['allowed', 'denied', 'expired', 'withdrawn']),
    decision: Decision.optional(),
    by: z.string().optional(),
    level: Level.optional(),
    /** Absent where nobody decided, and in what an older version stored. */
    via: z.enum(VIAS).optional(),
    /** That such calls are allowed from now on was decided with it. */
    remembered: z.object({ id: z.string(), rule: Json }).optional(),
    /** It was decided in advance, by this that was remembered. */
    grantId: z.string().optional(),
    /** It was decided by this rule of the user. */
    rule: z.string().optional(),
  }),
  /** What an older version remembered holds for less: `rules` that nobody chose are gone, `rule` is what is left. */
  event('grant.narrowed', { grantId: z.string(), rules: z.array(z.string()), rule: Json }),
  /** Who was to answer handed the question up; `to` is a session, or `owner`. */
  event('approval.escalated', {
    approvalId: z.string(),
    by: z.string(),
    to: z.string(),
    note: z.string().optional(),
  }),
  event('request.cancelled', { requestId: z.string() }),
  /** The child asked us something we do not understand; it gets an error, so that it does not hang. */
  event('request.unknown', { requestId: z.string(), subtype: z.string() }),

  // What else a reader wants to know.
  event('mode.changed', { mode: z.string() }),
  /** By us, for this and all later processes. */
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
  /** It has seen this end of a session below by looking itself: no prompt need say so. */
  event('below.seen', { news: z.string() }),
  /** Somebody ended its process, and wants it to stay so until something is said to it. */
  event('session.stopped', {}),
  /** The process has no way to us for sessions below it any more; the next one has. */
  event('nesting.ended', { reason: z.string() }),
  /** The CLI goes on under another session id, which the next turn tells; 2.1.197 tells it by that alone. */
  event('conversation.cleared', {}),

  /** Valid JSON of a kind we do not know. */
  event('line.unknown', { line: Json }),
  /** Not JSON, or too long to hold: a question may have been in it. */
  event('line.unparsed', { text: z.string(), bytes: z.number() }),
])
export type SessionEvent = z.infer<typeof SessionEvent>
export type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>
