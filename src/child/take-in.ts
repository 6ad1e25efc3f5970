import type { EventOf, SessionEvent } from '../events/session-event.ts'
import { evolve, isCutOff, pendingApprovals, type RunState } from './run-state.ts'

/**
 * Takes new events into the state and adds what only the state can tell. Pure: the caller commits the events
 * (with the offset behind them) in one transaction and does the side effects after it.
 */
export function takeIn(
  state: RunState,
  events: readonly SessionEvent[],
): { state: RunState; events: SessionEvent[] } {
  const all: SessionEvent[] = []
  for (const event of events) {
    for (const told of withDerived(state, event)) {
      state = evolve(state, told)
      all.push(told)
    }
  }
  return { state, events: all }
}

function withDerived(state: RunState, event: SessionEvent): SessionEvent[] {
  switch (event.type) {
    case 'tool.finished': {
      const call = state.seen.get(event.toolUseId)
      const withdrawn = withdrawals(state, ({ toolUseId }) => toolUseId === event.toolUseId)
      if (!call || call.asked) return [event, ...withdrawn]
      const about = { toolUseId: event.toolUseId, toolName: call.toolName }
      // A rule of the user comes before our "ask", and the CLI says so in nothing but the result.
      const refused = call.opinion === 'ask' || isCutOff(state, call.toolName)
      if (refused && event.isError) return [{ type: 'tool.refused', ...about, message: event.content }, event]
      return [{ type: 'tool.unasked', ...about }, event]
    }
    case 'prompt.withdrawn': // told by us and by the child, or of one that a turn has taken
      return state.prompts.has(event.promptId) ? [event] : []
    case 'request.cancelled':
      return [event, ...withdrawals(state, ({ requestId }) => requestId === event.requestId)]
    case 'turn.ended':
      return [...unechoedCommand(state, event), state.damage > 0 ? failedByDamage(event) : event]
    case 'run.ended':
      return [...unfinished(state), event, ...withdrawals(state, () => true)]
    default:
      return [event]
  }
}

/**
 * CLI 2.1.197 does not echo a command that it handles itself (`/clear`, `/compact`); it tells by a turn without
 * any request to the model. Were the prompt to stay owed, the next process would be given the command again.
 */
function unechoedCommand(state: RunState, { turns }: EventOf<'turn.ended'>): SessionEvent[] {
  if (turns !== 0 || state.echoed) return []
  const command = [...state.prompts].find(([, content]) => isCommand(content))
  return command ? [{ type: 'prompt.echoed', promptId: command[0] }] : []
}

function isCommand(content: EventOf<'prompt.accepted'>['content']): boolean {
  if (typeof content === 'string') return content.startsWith('/')
  const [first] = content
  if (typeof first !== 'object' || first === null || !('text' in first)) return false
  return typeof first.text === 'string' && first.text.startsWith('/')
}

/** The process ended in the middle of these calls: they may have run, and nobody was asked. */
function unfinished(state: RunState): SessionEvent[] {
  return [...state.hooks.values()]
    .filter(({ opinion }) => opinion === 'none')
    .map(({ toolUseId, toolName }) => ({ type: 'tool.unasked', toolUseId, toolName }))
}

/** A question that its child no longer asks is settled by that, so that nobody answers into the void. */
function withdrawals(state: RunState, gone: (opened: EventOf<'approval.opened'>) => boolean): SessionEvent[] {
  return pendingApprovals(state)
    .filter(gone)
    .map(({ approvalId }) => ({ type: 'approval.settled', approvalId, status: 'withdrawn' }))
}

function failedByDamage(event: EventOf<'turn.ended'>): EventOf<'turn.ended'> {
  const message =
    'Claude Code printed something that could not be read, and a question may have been in it, so the turn was interrupted. Check the free space of the disk and say it again.'
  return { ...event, outcome: 'failed', error: { code: 'cli_failed', message } }
}
