import type { ChildDecision, Decision } from '../../events/decision.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import { isOwnTool } from '../launch/mcp-servers.ts'

/**
 * What is open between us and one child: a fold over the session's events, so it is the same after a crash.
 *
 * A question is open from when it was asked until the child withdraws it, its tool_result arrives or the process ends. The
 * end of a turn closes nothing: background agents ask across it.
 */
export interface RunState {
  /** Accepted prompts that no turn has echoed yet and that are not withdrawn. */
  readonly prompts: ReadonlyMap<string, EventOf<'prompt.accepted'>>
  /** Hook calls whose tool has neither been asked about nor finished. */
  readonly hooks: ReadonlyMap<string, EventOf<'tool.seen'>>
  /** Calls that ran and whose child waits for our addition to the result. */
  readonly returned: ReadonlyMap<string, EventOf<'tool.returned'>>
  readonly approvals: ReadonlyMap<string, OpenApproval>
  /** Requests that we did not understand, newest last. */
  readonly unknown: readonly string[]
  /** Calls that our hook saw and that have not finished; `asked` if an answerer or a rule was asked first. */
  readonly seen: ReadonlyMap<string, SeenCall>
  /** Calls of the model that our hook has not seen yet. */
  readonly unseen: ReadonlyMap<string, UnseenCall>
  /** How many tools of this turn ran past us: unseen, or answered elsewhere. */
  readonly unguarded: number
  /** Whether a prompt was echoed since the last turn ended. */
  readonly echoed: boolean
  /** Lines of this turn that we could not read: a question may have been in one of them. */
  readonly damage: number
  /** The same for the whole run: the key of each interrupt that damage makes necessary. */
  readonly unread: number
  /** The server that this process takes for ours may be another program: none of its tools may be called. */
  readonly cutOff: boolean
}

interface UnseenCall {
  readonly toolName: string
  readonly input: unknown
}

interface SeenCall {
  readonly toolName: string
  /** Absent until the model's message with the call has arrived. */
  readonly input?: unknown
  readonly opinion: EventOf<'tool.seen'>['opinion']
  readonly asked: boolean
  /** The rule that answers the question, if our hook asked for one. */
  readonly answer?: EventOf<'tool.seen'>['answer']
  /** What the rules of Plexus said of it. */
  readonly verdict?: EventOf<'tool.seen'>['verdict']
  /** The child withdrew its question before it was answered. */
  readonly cancelled?: true | undefined
  readonly cwd?: string | undefined
}

interface OpenApproval {
  readonly opened: EventOf<'approval.opened'>
  /** Absent until it is decided. */
  readonly decision?: ChildDecision | undefined
}

function isForChild(decision: Decision | undefined): decision is ChildDecision {
  return decision !== undefined && decision.behavior !== 'budget'
}

export const initialRunState: RunState = {
  prompts: new Map(),
  hooks: new Map(),
  returned: new Map(),
  approvals: new Map(),
  unknown: [],
  seen: new Map(),
  unseen: new Map(),
  unguarded: 0,
  echoed: false,
  damage: 0,
  unread: 0,
  cutOff: false,
}

export function evolve(state: RunState, event: SessionEvent): RunState {
  return next(state, event, undefined)
}

/**
 * The same for a sequence of events of whose states only the last is kept: a thousand questions are folded without a
 * thousand copies of the earlier ones. The initial state is not changed.
 */
export function evolving(): typeof evolve {
  const own: Own = new Set()
  return (state, event) => next(state, event, own)
}

/** The maps that a sequence has created itself and may change in place. */
type Own = Set<ReadonlyMap<unknown, unknown>> | undefined

function next(state: RunState, event: SessionEvent, own: Own): RunState {
  switch (event.type) {
    case 'prompt.accepted':
      return { ...state, prompts: set(state.prompts, event.promptId, event, own) }
    case 'prompt.echoed':
      if (!state.prompts.has(event.promptId)) return state
      return { ...state, prompts: without(state.prompts, event.promptId, own), echoed: true }
    case 'prompt.withdrawn':
      return { ...state, prompts: without(state.prompts, event.promptId, own) }
    case 'tool.seen':
      return {
        ...state,
        hooks: set(state.hooks, event.requestId, event, own),
        seen: withSeen(state, event, own),
        unseen: without(state.unseen, event.toolUseId, own),
      }
    case 'tool.used': // for agents the hook may come first
      return withUsed(state, event, own)
    case 'tool.returned':
      return { ...state, returned: set(state.returned, event.requestId, event, own) }
    case 'tool.unasked':
      return event.cause === undefined ? state : { ...state, unguarded: state.unguarded + 1 }
    case 'tool.refused':
      return {
        ...state,
        hooks: withoutHookOf(state, event.toolUseId, own),
        seen: askedFor(state.seen, event.toolUseId, own),
      }
    case 'approval.opened':
      // The hub asks about budgets, and no process waits for the answer.
      if (event.kind === 'budget') return state
      if (state.approvals.has(event.approvalId)) return state // asked again: a decision stands
      return {
        ...state,
        hooks: event.toolUseId === undefined ? state.hooks : withoutHookOf(state, event.toolUseId, own),
        approvals: set(state.approvals, event.approvalId, { opened: event }, own),
        seen: event.toolUseId === undefined ? state.seen : askedFor(state.seen, event.toolUseId, own),
      }
    case 'approval.settled': {
      const open = state.approvals.get(event.approvalId)
      if (!open) return state
      const { decision } = event
      // The child has not asked what Plexus asks for it, and is owed no answer to it.
      const approvals =
        isForChild(decision) && !open.opened.flood
          ? set(state.approvals, event.approvalId, { ...open, decision }, own)
          : without(state.approvals, event.approvalId, own)
      return { ...state, approvals }
    }
    case 'tool.finished':
      return {
        ...state,
        hooks: withoutHookOf(state, event.toolUseId, own),
        returned: withoutAll(state.returned, ({ toolUseId }) => toolUseId === event.toolUseId, own),
        approvals: withoutAll(state.approvals, ({ opened }) => opened.toolUseId === event.toolUseId, own),
        seen: without(state.seen, event.toolUseId, own),
        unseen: without(state.unseen, event.toolUseId, own),
      }
    case 'request.cancelled':
      return cancelled(state, event.requestId, own)
    case 'request.unknown':
      return { ...state, unknown: [...state.unknown, event.requestId].slice(-MAX_UNKNOWN) }
    case 'line.unparsed':
      return { ...state, damage: state.damage + 1, unread: state.unread + 1 }
    case 'nesting.ended':
      return { ...state, cutOff: true }
    case 'turn.started':
      return state.damage === 0 ? state : { ...state, damage: 0 }
    case 'turn.ended':
      if (state.damage === 0 && !state.echoed && state.unguarded === 0) return state
      return { ...state, damage: 0, echoed: false, unguarded: 0 }
    case 'session.returned':
    case 'run.ended':
      // Prompts are kept for the next process; all else belonged to this process.
      return { ...initialRunState, prompts: state.prompts }
    case 'run.started':
    case 'run.outdated':
    case 'cost.reported':
    case 'text.streamed':
    case 'message.ended':
    case 'text':
    case 'thinking':
    case 'approval.escalated':
    case 'approval.extended':
    case 'below.seen':
    case 'session.stopped':
    case 'session.handed_over':
    case 'grant.expired':
    case 'grant.revoked':
    case 'terminal.changed':
    case 'terminal.hook_found':
    case 'grant.narrowed':
    case 'mode.changed':
    case 'model.chosen':
    case 'api.retried':
    case 'context.compacted':
    case 'task.started':
    case 'task.ended':
    case 'budget.set':
    case 'budget.low':
    case 'budget.used_up':
    case 'conversation.cleared':
    case 'line.unknown':
      return state
  }
}

/** The folder of a running call: the question about it has no folder, but our hook received it. */
export function cwdOf(state: RunState, toolUseId: string | undefined): string | undefined {
  return toolUseId === undefined ? undefined : state.seen.get(toolUseId)?.cwd
}

/** What the record needs of a running call. */
export function callOf({ seen, unseen }: RunState, toolUseId: string): CallOnRecord | undefined {
  return seen.get(toolUseId) ?? unseen.get(toolUseId)
}

export type CallOnRecord = Pick<SeenCall, 'input' | 'cwd' | 'verdict'>

/** A call that must not be made: it would reach whatever program has taken our address. */
export function isCutOff({ cutOff }: RunState, toolName: string): boolean {
  return cutOff && isOwnTool(toolName)
}

/** The message of the answer that allowed a call. */
export function noteFor({ approvals }: RunState, toolUseId: string): string | undefined {
  for (const { opened, decision } of approvals.values())
    if (opened.toolUseId === toolUseId && decision?.behavior === 'allow') return decision.message
  return undefined
}

/** The approvals without a decision. */
export function pendingApprovals(state: RunState): EventOf<'approval.opened'>[] {
  return [...state.approvals.values()]
    .filter(({ decision }) => decision === undefined)
    .map(({ opened }) => opened)
}

function cancelled(state: RunState, requestId: string, own: Own): RunState {
  const hook = state.hooks.get(requestId)
  const question = [...state.approvals.values()].find(({ opened }) => opened.requestId === requestId)
  const call = question?.opened.toolUseId
  const asked = call === undefined || question?.decision ? undefined : state.seen.get(call)
  const seen =
    asked && call !== undefined ? set(state.seen, call, { ...asked, cancelled: true }, own) : state.seen
  return {
    ...state,
    hooks: without(state.hooks, requestId, own),
    returned: without(state.returned, requestId, own),
    approvals: withoutAll(state.approvals, ({ opened }) => opened.requestId === requestId, own),
    unknown: state.unknown.filter((id) => id !== requestId),
    // A call whose hook request was cancelled never ran.
    seen: hook ? without(seen, hook.toolUseId, own) : seen,
  }
}

function withoutHookOf({ hooks }: RunState, toolUseId: string, own: Own): RunState['hooks'] {
  return withoutAll(hooks, (hook) => hook.toolUseId === toolUseId, own)
}

function withUsed(state: RunState, { toolUseId, toolName, input }: EventOf<'tool.used'>, own: Own): RunState {
  const call = state.seen.get(toolUseId)
  if (call) return { ...state, seen: set(state.seen, toolUseId, { ...call, input }, own) }
  return { ...state, unseen: set(state.unseen, toolUseId, { toolName, input }, own) }
}

/** A call without an id cannot be matched with its result; it is asked about anyway, so nothing is lost. */
function withSeen({ seen, unseen }: RunState, event: EventOf<'tool.seen'>, own: Own): RunState['seen'] {
  const { toolUseId, toolName, opinion, answer, verdict, cwd } = event
  if (toolUseId === '') return seen
  const input = event.input ?? unseen.get(toolUseId)?.input
  return set(seen, toolUseId, { toolName, input, opinion, asked: false, answer, verdict, cwd }, own)
}

function askedFor(seen: RunState['seen'], toolUseId: string, own: Own): RunState['seen'] {
  const call = seen.get(toolUseId)
  return call ? set(seen, toolUseId, { ...call, asked: true }, own) : seen
}

function set<K, V>(map: ReadonlyMap<K, V>, key: K, value: V, own: Own): ReadonlyMap<K, V> {
  return writable(map, own).set(key, value)
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K, own: Own): ReadonlyMap<K, V> {
  if (!map.has(key)) return map
  const rest = writable(map, own)
  rest.delete(key)
  return rest
}

function withoutAll<K, V>(map: ReadonlyMap<K, V>, drop: (value: V) => boolean, own: Own): ReadonlyMap<K, V> {
  let rest = map
  for (const [key, value] of map) if (drop(value)) rest = without(rest, key, own)
  return rest
}

function writable<K, V>(map: ReadonlyMap<K, V>, own: Own): Map<K, V> {
  if (own?.has(map) && map instanceof Map) return map
  const copy = new Map(map)
  own?.add(copy)
  return copy
}

const MAX_UNKNOWN = 1_000
