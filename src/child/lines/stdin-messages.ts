import type { ChildDecision } from '../../events/decision.ts'
import type { EventOf } from '../../events/session-event.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { StoredVerdict } from '../../rules/verdict.ts'
import type { ChildMessage } from './message-line.ts'
import { withEnd } from './prompt-end-marker.ts'
import { AFTER_CALL } from './after-call-hook.ts'

/** Every message that we send to a child's stdin is made here. */

export type ControlRequest =
  | ({ readonly subtype: 'initialize'; readonly hooks: unknown } & InitialInstructions)
  | { readonly subtype: 'interrupt' }
  | { readonly subtype: 'set_permission_mode'; readonly mode: string }
  | { readonly subtype: 'set_model'; readonly model: string }
  | { readonly subtype: 'mcp_status' }
  | { readonly subtype: 'mcp_reconnect'; readonly serverName: string }
  | { readonly subtype: 'cancel_async_message'; readonly message_uuid: string }
  | { readonly subtype: 'end_session'; readonly reason: string }

/** Sent to a child at its start in this way, and not on its command line, which every user of the machine can read. */
export interface InitialInstructions {
  readonly appendSystemPrompt?: string | undefined
  readonly agents?: object | undefined
}

export function controlRequest(requestId: string, request: ControlRequest): ChildMessage {
  return { type: 'control_request', request_id: requestId, request }
}

/**
 * Registers our hook for every tool call, in every mode, and a hook after the call, by which a note reaches the model. The
 * timeout must be longer than the keeper's lease: a hook that times out lets the tool run.
 */
export function initialize(leaseSeconds: number, instructions: InitialInstructions = {}): ChildMessage {
  const hook = (id: string) => [
    { matcher: null, hookCallbackIds: [id], timeout: leaseSeconds + HOOK_MARGIN_SECONDS },
  ]
  const hooks = {
    PreToolUse: hook('plexus'),
    PostToolUse: hook(AFTER_CALL.ran),
    PostToolUseFailure: hook(AFTER_CALL.failed),
  }
  return controlRequest('plexus-initialize', {
    subtype: 'initialize',
    hooks,
    ...definedFields({ ...instructions }),
  })
}

/** The messages that the keeper sends before it closes stdin: the turn ends, and queued prompts do not begin. */
export function lastWill(): ChildMessage[] {
  return [
    controlRequest('plexus-will-interrupt', { subtype: 'interrupt' }),
    controlRequest('plexus-will-end', { subtype: 'end_session', reason: 'plexus' }),
  ]
}

/**
 * The CLI drops a prompt whose id it has seen, so sending it again is safe. Only a prompt that is on record as a command
 * reaches it as a command; all else is data.
 */
export function userMessage(prompt: Omit<EventOf<'prompt.accepted'>, 'type'>): ChildMessage {
  const content = prompt.command === undefined ? withEnd(prompt.content) : `/${prompt.command}`
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, uuid: prompt.promptId }
}

export function decisionAnswer(requestId: string, decision: ChildDecision): ChildMessage {
  if (decision.behavior !== 'form') return success(requestId, withoutNote(decision))
  const { action, content } = decision
  return success(requestId, definedFields({ action, content }))
}

/** Never an error and never late: both let the tool run. */
export function hookAnswer(requestId: string, opinion: HookWord, verdict?: StoredVerdict): ChildMessage {
  return success(requestId, hookOutput(opinion, verdict))
}

type HookWord = 'none' | keyof typeof HOOK_SENTENCES

/** What the CLI takes from a hook before a call, however the hook is run. No opinion is the empty object. */
export function hookOutput(opinion: HookWord, verdict?: StoredVerdict): HookOutput {
  if (opinion === 'none') return {}
  const [permissionDecision, sentence] = HOOK_SENTENCES[opinion]
  const isRefused = opinion === 'deny' && verdict !== undefined && verdict.effect !== 'ask'
  const permissionDecisionReason = isRefused ? refusalBy(verdict) : sentence
  return {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  }
}

/** What the model reads when a rule refuses its call. */
export function refusalBy({ because = 'A rule refuses this.', ruleId = '', effect }: StoredVerdict): string {
  const end =
    effect === 'forbid' ? 'Nobody can allow it; do not look for another way.' : 'Do not try it again.'
  return `${because} (Denied by the rule ${ruleId} of Plexus. ${end})`
}

export interface HookOutput {
  readonly hookSpecificOutput?: Readonly<Record<string, string>>
}

/** The CLI shows this text to the model right after the result of the call. */
export function afterCallAnswer(
  { requestId, failed }: EventOf<'tool.returned'>,
  note: string | undefined,
): ChildMessage {
  if (note === undefined) return success(requestId, {})
  const hookEventName = failed ? 'PostToolUseFailure' : 'PostToolUse'
  const additionalContext = `The answerer who allowed this call left a note for you: ${note}`
  return success(requestId, { hookSpecificOutput: { hookEventName, additionalContext } })
}

/** The CLI does not read the message of an allow decision, so the hook after the call delivers it as a note. */
export function withoutNote(decision: ChildDecision): ChildDecision {
  if (decision.behavior !== 'allow') return decision
  const { message: _, ...rest } = decision
  return rest
}

/** The CLI gives it back as the reason of the question that follows. */
export const HOOK_ASKS = 'Plexus asks the answerer who is responsible for this session.'

const HOOK_SENTENCES = {
  ask: ['ask', HOOK_ASKS],
  deny: ['deny', 'This session refuses whatever was not allowed beforehand, and no rule allows this.'],
  'cut off': ['deny', 'The address of Plexus has changed; continue without its tools.'],
} as const

export function errorAnswer(requestId: string, error: string): ChildMessage {
  return { type: 'control_response', response: { subtype: 'error', request_id: requestId, error } }
}

function success(requestId: string, response: unknown): ChildMessage {
  return { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }
}

const HOOK_MARGIN_SECONDS = 3_600
