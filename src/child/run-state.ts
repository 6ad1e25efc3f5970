import type { Decision, EventOf, SessionEvent } from '../events/session-event.ts'

/**
 * What stands open between us and one child: a fold over the session's events, so it is the same after a crash.
 *
 * Open is what was asked, minus what the child took back, minus what has its tool_result, minus all of an ended
 * process. A turn's end closes nothing: background agents ask across it.
 */
export interface RunState {
  /** Accepted prompts that no turn has echoed yet and nobody has withdrawn. */
  readonly prompts: ReadonlyMap<string, EventOf<'prompt.accepted'>['content']>
  /** Hook calls whose tool has neither been asked for nor finished. */
  readonly hooks: ReadonlyMap<string, EventOf<'tool.seen'>>
  readonly approvals: ReadonlyMap<string, OpenApproval>
  /** Requests that we did not understand, newest last. */
  readonly unknown: readonly string[]
  /** Calls that our hook saw and that have not finished; `asked` if somebody or a rule was asked first. */
  readonly seen: ReadonlyMap<string, SeenCall>
  /** Whether a prompt was echoed since the last turn ended. */
  readonly echoed: boolean
  /** Lines of this turn that we could not read: a question may have been in one of them. */
  readonly damage: number
  /** The same of the whole run: names each interrupt that damage calls for. */
  readonly unread: number
}

export interface SeenCall {
  readonly toolName: string
  readonly opinion: EventOf<'tool.seen'>['opinion']
  readonly asked: boolean
}

export interface OpenApproval {
  readonly opened: EventOf<'approval.opened'>
  /** Absent while nobody has decided. */
  readonly decision?: Decision | undefined
}

export const initialRunState: RunState = {
  prompts: new Map(),
  hooks: new Map(),
  approvals: new Map(),
  unknown: [],
  seen: new Map(),
  echoed: false,
  damage: 0,
  unread: 0,
}

export function evolve(state: RunState, event: SessionEvent): RunState {
  switch (event.type) {
    case 'prompt.accepted':
      return { ...state, prompts: set(state.prompts, event.promptId, event.content) }
    case 'prompt.echoed':
      if (!state.prompts.has(event.promptId)) return state
      return { ...state, prompts: without(state.prompts, (id) => id === event.promptId), echoed: true }
    case 'prompt.withdrawn':
      return { ...state, prompts: without(state.prompts, (id) => id === event.promptId) }
    case 'tool.seen':
      return {
        ...state,
        hooks: set(state.hooks, event.requestId, event),
        seen: withSeen(state.seen, event),
      }
    case 'tool.refused':
      return { ...withoutHookOf(state, event.toolUseId), seen: askedFor(state.seen, event.toolUseId) }
    case 'approval.opened':
      if (state.approvals.has(event.approvalId)) return state // told again: a decision stands
      return {
        ...(event.toolUseId === undefined ? state : withoutHookOf(state, event.toolUseId)),
        approvals: set(state.approvals, event.approvalId, { opened: event }),
        seen: event.toolUseId === undefined ? state.seen : askedFor(state.seen, event.toolUseId),
      }
    case 'approval.settled': {
      const open = state.approvals.get(event.approvalId)
      if (!open) return state
      if (!event.decision)
        return { ...state, approvals: without(state.approvals, (id) => id === event.approvalId) }
      return {
        ...state,
        approvals: set(state.approvals, event.approvalId, { ...open, decision: event.decision }),
      }
    }
    case 'tool.finished':
      return {
        ...withoutHookOf(state, event.toolUseId),
        approvals: without(state.approvals, (_, { opened }) => opened.toolUseId === event.toolUseId),
        seen: without(state.seen, (id) => id === event.toolUseId),
      }
    case 'request.cancelled':
      return cancelled(state, event.requestId)
    case 'request.unknown':
      return { ...state, unknown: [...state.unknown, event.requestId].slice(-MAX_UNKNOWN) }
    case 'line.unparsed':
      return { ...state, damage: state.damage + 1, unread: state.unread + 1 }
    case 'turn.started':
      return state.damage === 0 ? state : { ...state, damage: 0 }
    case 'turn.ended':
      return state.damage === 0 && !state.echoed ? state : { ...state, damage: 0, echoed: false }
    case 'run.ended':
      // Prompts go to the next process; the rest was this one's.
      return { ...initialRunState, prompts: state.prompts }
    case 'run.started':
    case 'cost.reported':
    case 'text.streamed':
    case 'text':
    case 'thinking':
    case 'tool.used':
    case 'tool.unasked':
    case 'approval.escalated':
    case 'mode.changed':
    case 'model.chosen':
    case 'api.retried':
    case 'context.compacted':
    case 'task.started':
    case 'task.ended':
    case 'conversation.cleared':
    case 'line.unknown':
      return state
  }
}

/** The approvals that still wait for somebody. */
export function pendingApprovals(state: RunState): EventOf<'approval.opened'>[] {
  return [...state.approvals.values()]
    .filter(({ decision }) => decision === undefined)
    .map(({ opened }) => opened)
}

function cancelled(state: RunState, requestId: string): RunState {
  const hook = state.hooks.get(requestId)
  return {
    ...state,
    hooks: without(state.hooks, (id) => id === requestId),
    approvals: without(state.approvals, (_, { opened }) => opened.requestId === requestId),
    unknown: state.unknown.filter((id) => id !== requestId),
    // A call whose hook was taken back never ran.
    seen: hook ? without(state.seen, (id) => id === hook.toolUseId) : state.seen,
  }
}

function withoutHookOf(state: RunState, toolUseId: string): RunState {
  return { ...state, hooks: without(state.hooks, (_, hook) => hook.toolUseId === toolUseId) }
}

/** A call without an id cannot be matched with its result; it is asked for, so nothing is lost by that. */
function withSeen(seen: RunState['seen'], event: EventOf<'tool.seen'>): RunState['seen'] {
  const { toolUseId, toolName, opinion } = event
  return toolUseId === '' ? seen : set(seen, toolUseId, { toolName, opinion, asked: false })
}

function askedFor(seen: RunState['seen'], toolUseId: string): RunState['seen'] {
  const call = seen.get(toolUseId)
  return call ? set(seen, toolUseId, { ...call, asked: true }) : seen
}

function set<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value)
}

function without<K, V>(map: ReadonlyMap<K, V>, drop: (key: K, value: V) => boolean): ReadonlyMap<K, V> {
  const kept = [...map].filter(([key, value]) => !drop(key, value))
  return kept.length === map.size ? map : new Map(kept)
}

const MAX_UNKNOWN = 1_000
