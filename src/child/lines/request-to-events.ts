import type { ChildAsks } from '../../events/approval-fields.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import { repeatedSentence } from '../../approvals/ends/model-sentences.ts'
import { type ApprovalId, approvalIdOf, type GrantId, sha256Of, type SessionKey } from '../../base/ids.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { AFTER_CALL } from './after-call-hook.ts'
import { AfterCall, CanUseTool, type ChildLine, Elicitation, HookCallback } from './child-line.ts'
import type { Opinion, ToolCall } from '../policy/hook-opinion.ts'
import type { StoredVerdict } from '../../rules/verdict.ts'
import { HOOK_ASKS, refusalBy } from './stdin-messages.ts'

export interface LineContext {
  readonly sessionId: SessionKey
  /** The opinion of our hook on a call; stored with the call, so that the log shows why a question was asked. */
  readonly opinion: (call: ToolCall) => Opinion
  /** The decision about such a call that was made in advance, if there is one. */
  readonly decided?: ((call: ToolCall) => PriorDecision | undefined) | undefined
}

/** The rule by which a call is decided in advance, or the denial that it repeats. */
export type PriorDecision =
  | {
      readonly by: string
      readonly verdict: StoredVerdict
      /** Present if the rule was remembered with an answer. */
      readonly grantId?: GrantId | undefined
    }
  | { readonly repeats: ApprovalId; readonly secondsAgo: number }

type RequestLine = Extract<ChildLine, { type: 'control_request' }>

/** A request that we cannot read gets an error, which is a no. A hook must not get an error: that lets the tool run. */
export function requestEvents(line: RequestLine, context: LineContext): SessionEvent[] {
  const event = requestEvent(line, context)
  return event.type === 'approval.opened' ? askedOrDecided(event, context.decided?.(event)) : [event]
}

function requestEvent(line: RequestLine, { sessionId, opinion }: LineContext): SessionEvent {
  const { request_id: requestId, request } = line
  const approval = {
    type: 'approval.opened',
    approvalId: approvalIdOf(sessionId, requestId),
    requestId,
  } as const
  switch (request.subtype) {
    case 'hook_callback': {
      const after = AfterCall.safeParse(request).data
      if (after) {
        const toolUseId = after.input?.tool_use_id || after.tool_use_id || ''
        const failed = after.callback_id === AFTER_CALL.failed ? ({ failed: true } as const) : {}
        return { type: 'tool.returned', requestId, toolUseId, ...failed }
      }
      const hook = HookCallback.safeParse(request)
      if (!hook.success) return { type: 'tool.seen', requestId, toolUseId: '', toolName: '', opinion: 'ask' }
      const {
        tool_name: toolName,
        tool_input: input,
        tool_use_id: ownId,
        agent_id: agentId,
        cwd,
        permission_mode: mode,
      } = hook.data.input
      const toolUseId = ownId || hook.data.tool_use_id || ''
      // A call that we could not match with its result could run without a trace, so it is asked about.
      const judgement: Opinion =
        toolUseId === ''
          ? { opinion: 'ask' }
          : opinion({ toolName, input, toolUseId, ...definedFields({ cwd, mode }) })
      return {
        type: 'tool.seen',
        requestId,
        toolUseId,
        toolName,
        opinion: judgement.opinion,
        ...definedFields({ agentId, cwd, verdict: judgement.verdict }),
        ...(judgement.opinion === 'deny' ? { input } : {}),
        ...(judgement.rule === undefined
          ? {}
          : { answer: { rule: judgement.rule, inputSha256: sha256Of(input) } }),
      }
    }
    case 'can_use_tool': {
      const ask = CanUseTool.safeParse(request)
      if (!ask.success) break
      const { tool_name: toolName, input, tool_use_id: toolUseId, agent_id: agentId } = ask.data
      const {
        permission_suggestions: suggestions,
        decision_reason: given,
        blocked_path: blockedPath,
      } = ask.data
      // What our own hook said is no reason: it says so of every call that is asked about.
      const reason = given?.endsWith(HOOK_ASKS) ? undefined : given
      const about = definedFields({ toolUseId, agentId, suggestions, reason, blockedPath })
      return { ...approval, kind: kindOf(toolName), toolName, input, ...about }
    }
    case 'elicitation': {
      const form = Elicitation.safeParse(request)
      if (!form.success) break
      const { mcp_server_name: toolName, message, mode, url, requested_schema: schema } = form.data
      return { ...approval, kind: 'form', toolName, input: definedFields({ message, mode, url, schema }) }
    }
  }
  return { type: 'request.unknown', requestId, subtype: request.subtype }
}

/** A question, with its answer if a grant or a rule gives it in advance. They apply only to questions about a tool. */
export function askedOrDecided(
  opened: EventOf<'approval.opened'>,
  prior: PriorDecision | undefined,
): SessionEvent[] {
  const { approvalId, kind, input } = opened
  if (!prior || kind !== 'tool') return [opened]
  if ('repeats' in prior) {
    const { repeats, secondsAgo } = prior
    const denied = { behavior: 'deny', message: repeatedSentence(secondsAgo) } as const
    const how = { decision: denied, via: 'rule', end: 'repeated', repeats } as const
    return [opened, { type: 'approval.settled', approvalId, status: 'denied', ...how }]
  }
  const { by, grantId, verdict } = prior
  if (verdict.effect === 'ask') return [{ ...opened, verdict }]
  const carrier = opened.carrier === 'terminal' ? opened.carrier : undefined
  const source = {
    by,
    via: 'rule',
    verdict,
    ...definedFields({ grantId, rule: verdict.text, carrier }),
  } as const
  if (verdict.effect === 'allow') {
    const decision = { behavior: 'allow', updatedInput: input } as const
    return [opened, { type: 'approval.settled', approvalId, status: 'allowed', decision, ...source }]
  }
  const decision = { behavior: 'deny', message: refusalBy(verdict) } as const
  return [opened, { type: 'approval.settled', approvalId, status: 'denied', decision, ...source }]
}

export function kindOf(toolName: string): ChildAsks {
  return KINDS.get(toolName) ?? 'tool'
}

const KINDS: ReadonlyMap<string, ChildAsks> = new Map([
  ['ExitPlanMode', 'plan'],
  ['AskUserQuestion', 'question'],
])
