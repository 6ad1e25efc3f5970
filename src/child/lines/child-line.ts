import { z } from 'zod'
import { AFTER_CALL } from './after-call-hook.ts'
import type { SplitLine } from '../../text/line-splitter.ts'
import { parseJson } from '../../text/json-text.ts'
import { pieceOf } from './stream-event-line.ts'

/**
 * Loose schemas of the CLI's lines: the CLI adds fields and kinds between versions, and changes the order of keys. Fields
 * that are not named here are dropped from known lines; unknown lines are kept whole.
 */
const anything = z.unknown().optional()
const text = z.string()
// A missing field, or a field of another type, must not make the whole line unreadable.
const maybeText = z.string().nullish().catch(undefined)
const maybeNumber = z.number().nullish().catch(undefined)
const uuid = { uuid: maybeText }
const parent = { parent_tool_use_id: maybeText }

const AnyBlock = z.union([
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('thinking'), thinking: text }),
  z.object({ type: z.literal('tool_use'), id: text, name: text, input: anything }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: text,
    is_error: z.boolean().nullish().catch(true),
    content: anything,
  }),
  z.object({ type: text }),
])
// A block that we cannot read must not make the others unreadable: a tool_result closes a question.
const Block = AnyBlock.catch({ type: 'unknown' })
export type Block = z.infer<typeof Block>

const System = z.discriminatedUnion('subtype', [
  z.object({
    subtype: z.literal('init'),
    session_id: text,
    cwd: maybeText,
    model: maybeText,
    permissionMode: maybeText,
    claude_code_version: maybeText,
  }),
  z.object({ subtype: z.literal('status'), permissionMode: maybeText }),
  z.object({
    subtype: z.literal('api_retry'),
    attempt: z.number(),
    max_retries: z.number(),
    retry_delay_ms: z.number(),
    error_status: maybeNumber,
    error: maybeText,
  }),
  z.object({
    subtype: z.literal('permission_denied'),
    tool_name: text,
    tool_use_id: text,
    message: maybeText,
  }),
  z.object({
    subtype: z.literal('compact_boundary'),
    compact_metadata: z.object({ trigger: text, pre_tokens: maybeNumber, post_tokens: maybeNumber }),
  }),
  z.object({
    subtype: z.literal('task_started'),
    task_id: text,
    task_type: maybeText,
    tool_use_id: maybeText,
    description: maybeText,
  }),
  z.object({
    subtype: z.literal('task_updated'),
    task_id: text,
    patch: z.object({ status: maybeText }).nullish().catch(undefined),
  }),
  z.object({ subtype: z.literal('task_notification'), task_id: text, status: text }),
])

export const CanUseTool = z.object({
  subtype: z.literal('can_use_tool'),
  tool_name: text,
  input: z.record(z.string(), anything),
  tool_use_id: maybeText,
  agent_id: maybeText,
  permission_suggestions: z.array(anything).nullish().catch(undefined),
  decision_reason: maybeText,
  blocked_path: maybeText,
})

export const HookCallback = z.object({
  subtype: z.literal('hook_callback'),
  tool_use_id: maybeText,
  input: z.object({
    tool_name: text,
    tool_input: anything,
    tool_use_id: maybeText,
    agent_id: maybeText,
    cwd: maybeText,
    permission_mode: maybeText,
  }),
})

/** The hook after a call. Fields that cannot be read are omitted: the child waits for an answer all the same. */
export const AfterCall = z.object({
  subtype: z.literal('hook_callback'),
  callback_id: z.enum([AFTER_CALL.ran, AFTER_CALL.failed]),
  tool_use_id: maybeText,
  input: z.object({ tool_use_id: maybeText }).nullish().catch(undefined),
})

export const Elicitation = z.object({
  subtype: z.literal('elicitation'),
  mcp_server_name: text,
  message: maybeText,
  mode: maybeText,
  url: maybeText,
  requested_schema: anything,
})

/** The input tokens of one request to the model; no token is counted in two of the three fields. */
const Usage = z
  .object({
    input_tokens: maybeNumber,
    cache_creation_input_tokens: maybeNumber,
    cache_read_input_tokens: maybeNumber,
  })
  .nullish()
  .catch(undefined)

/** All but `system` lines. */
export const KnownLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('stream_event'),
    event: z.object({
      type: text,
      delta: z.object({ type: maybeText, text: maybeText }).nullish().catch(undefined),
      usage: z.object({ output_tokens: maybeNumber }).nullish().catch(undefined),
    }),
    ...parent,
  }),
  z.object({
    type: z.literal('assistant'),
    message: z.object({ id: maybeText, content: z.array(Block), usage: Usage }),
    ...uuid,
    ...parent,
  }),
  z.object({
    type: z.literal('user'),
    message: z.object({ content: z.union([z.string(), z.array(Block)]) }),
    isReplay: z.boolean().optional().catch(undefined),
    ...uuid,
    ...parent,
  }),
  z.object({
    type: z.literal('result'),
    subtype: text.catch(''),
    is_error: z.boolean().catch(true),
    result: maybeText,
    structured_output: anything,
    errors: z.array(z.string()).nullish().catch(undefined),
    terminal_reason: maybeText,
    total_cost_usd: maybeNumber,
    num_turns: maybeNumber,
    duration_ms: maybeNumber,
    usage: z.object({ input_tokens: maybeNumber, output_tokens: maybeNumber }).nullish().catch(undefined),
    modelUsage: z
      .record(
        z.string(),
        z
          .object({
            contextWindow: maybeNumber,
            costUSD: maybeNumber,
            inputTokens: maybeNumber,
            outputTokens: maybeNumber,
            cacheReadInputTokens: maybeNumber,
            cacheCreationInputTokens: maybeNumber,
          })
          .catch({}),
      )
      .nullish()
      .catch(undefined),
  }),
  z.object({
    type: z.literal('control_request'),
    request_id: text,
    request: z.looseObject({ subtype: z.string().catch('') }).catch({ subtype: '' }),
  }),
  z.object({ type: z.literal('control_cancel_request'), request_id: text }),
  z.object({
    type: z.literal('control_response'),
    response: z.object({ subtype: text, request_id: text, response: anything, error: maybeText }),
  }),
  z.object({ type: z.literal('conversation_reset') }),
  /** Since 2.1.325. Its other states are reported by other lines too. */
  z.object({ type: z.literal('command_lifecycle'), command_uuid: text, state: z.literal('cancelled') }),
])

export type SystemLine = { type: 'system' } & z.infer<typeof System>
export type ChildLine =
  | z.infer<typeof KnownLine>
  | SystemLine
  | { type: 'unknown'; json: object }
  | { type: 'unparsed'; text: string; bytes: number }

/** Never throws: the CLI changes its lines between versions, and the hub must survive that. */
export function parseLine({ text: line, bytes, cut }: Omit<SplitLine, 'end'>): ChildLine {
  const piece = cut ? undefined : pieceOf(line)
  if (piece) return piece
  const unparsed = { type: 'unparsed', text: line.slice(0, KEPT_CHARACTERS), bytes } as const
  const json = cut ? undefined : parseJson(line)
  if (typeof json !== 'object' || json === null) return unparsed
  if ('type' in json && json.type === 'system') {
    const system = System.safeParse(json)
    return system.success ? { type: 'system', ...system.data } : { type: 'unknown', json }
  }
  const known = KnownLine.safeParse(json)
  if (known.success) return known.data
  // A request without an id cannot be answered, and the child waits: the same as a question that could not be read.
  return 'type' in json && json.type === 'control_request' ? unparsed : { type: 'unknown', json }
}

const KEPT_CHARACTERS = 2_048
