import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import { sha256Of } from '../../base/ids.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { cwdOf, isCutOff, pendingApprovals, type RunState } from './run-state.ts'

/** An event and the events that follow from it and the state before it, in the order of the record. The caller folds each. */
export function withDerived(state: RunState, event: SessionEvent): SessionEvent[] {
  switch (event.type) {
    case 'approval.opened':
      return [
        {
          ...event,
          ...definedFields({ cwd: cwdOf(state, event.toolUseId), verdict: askedBy(state, event) }),
        },
        ...answerByRule(state, event),
      ]
    case 'tool.finished':
      return [
        ...unaskedOrRefused(state, event),
        event,
        ...withdrawals(state, ({ toolUseId }) => toolUseId === event.toolUseId),
      ]
    case 'prompt.withdrawn': // reported by us and by the child, or for a prompt that a turn has already taken
      return state.prompts.has(event.promptId) ? [event] : []
    case 'request.cancelled':
      return [event, ...withdrawals(state, ({ requestId }) => requestId === event.requestId)]
    case 'turn.ended':
      return [...unechoedCommand(state, event), state.damage > 0 ? failedByDamage(event) : event]
    case 'session.returned':
      return [event, ...withdrawals(state, () => true)]
    case 'run.ended':
      return [...unfinished(state), event, ...withdrawals(state, () => true)]
    default:
      return [event]
  }
}

/** The rule of Plexus by which a question is asked. */
function askedBy(state: RunState, { toolUseId, verdict }: EventOf<'approval.opened'>) {
  const seen = toolUseId === undefined ? undefined : state.seen.get(toolUseId)?.verdict
  return verdict ?? (seen?.effect === 'ask' ? seen : undefined)
}

/** A question that a rule of the user answers, for the very input that the hook saw. */
function answerByRule(state: RunState, opened: EventOf<'approval.opened'>): SessionEvent[] {
  const { approvalId, kind, input, toolUseId } = opened
  const { answer, verdict } = (toolUseId === undefined ? undefined : state.seen.get(toolUseId)) ?? {}
  const isNew = !state.approvals.has(approvalId)
  if (!answer || !isNew || kind !== 'tool' || answer.inputSha256 !== sha256Of(input)) return []
  const decision = { behavior: 'allow', updatedInput: input } as const
  const name = verdict?.ruleId ?? answer.rule
  const by = { by: `rule ${name}`, rule: answer.rule, via: 'rule', ...definedFields({ verdict }) } as const
  return [{ type: 'approval.settled', approvalId, status: 'allowed', decision, ...by }]
}

/** For a tool that ended and was not asked about. A refusal shows only in its result. */
function unaskedOrRefused(
  state: RunState,
  { toolUseId, isError, content }: EventOf<'tool.finished'>,
): SessionEvent[] {
  const call = state.seen.get(toolUseId)
  const toolName = call?.toolName ?? state.unseen.get(toolUseId)?.toolName
  if (toolName === undefined) return []
  const about = { toolUseId, toolName }
  if (!call) return isError ? [] : [{ type: 'tool.unasked', ...about, cause: 'not seen' }]
  if (call.cancelled && !isError) return [{ type: 'tool.unasked', ...about, cause: 'answered elsewhere' }]
  if (call.asked) return []
  // A rule of the user may refuse a call before our "ask" takes effect.
  const refused = call.opinion !== 'none' || isCutOff(state, toolName)
  if (refused && isError) return [{ type: 'tool.refused', ...about, message: content }]
  return [{ type: 'tool.unasked', ...about, ...definedFields({ rule: call.answer?.rule }) }]
}

/**
 * CLI 2.1.197 does not echo a command that it handles itself (`/clear`, `/compact`); it reports a turn without any request
 * to the model. If the prompt stayed owed, the next process would get the command again.
 */
function unechoedCommand(state: RunState, { turns }: EventOf<'turn.ended'>): SessionEvent[] {
  if (turns !== 0 || state.echoed) return []
  const given = [...state.prompts.values()].find(({ command }) => command !== undefined)
  return given ? [{ type: 'prompt.echoed', promptId: given.promptId }] : []
}

/** The process ended in the middle of these calls: they may have run without a question. */
function unfinished(state: RunState): SessionEvent[] {
  return [...state.hooks.values()]
    .filter(({ opinion }) => opinion === 'none')
    .map(({ toolUseId, toolName, answer }) => ({
      type: 'tool.unasked',
      toolUseId,
      toolName,
      ...definedFields({ rule: answer?.rule }),
    }))
}

/** A question that its child no longer asks is withdrawn, so that no answer is given in vain. */
function withdrawals(state: RunState, gone: (opened: EventOf<'approval.opened'>) => boolean): SessionEvent[] {
  return pendingApprovals(state)
    .filter(gone)
    .map(({ approvalId, carrier }) => ({
      type: 'approval.settled',
      approvalId,
      status: 'withdrawn',
      ...(carrier === 'terminal' ? { carrier } : {}),
    }))
}

function failedByDamage(event: EventOf<'turn.ended'>): EventOf<'turn.ended'> {
  const message =
    'Claude Code printed something that could not be read, and a question may have been in it, so the turn was interrupted. Check the free space of the disk and say it again.'
  return { ...event, outcome: 'failed', error: { code: 'cli_failed', message } }
}
