import type { ApprovalId } from '../../base/ids.ts'
import { inputHash } from '../../base/ids.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'

/** A call that was asked about, as far as another call can be the same. */
interface AskedCall {
  readonly approvalId: ApprovalId
  readonly key: string
}

/** A call that was denied without a reason: the same call is denied without asking until then. */
interface DeniedCall extends AskedCall {
  readonly until: number
}

/** What a session has asked about lately: a fold over its events, so it is the same after a crash. */
export interface AskedCalls {
  readonly open: readonly AskedCall[]
  /** Withdrawn without an answer, in this turn and the one before: the same call asked again takes their place. */
  readonly withdrawn: readonly AskedCall[]
  readonly denied: readonly DeniedCall[]
}

export const NO_CALLS: AskedCalls = { open: [], withdrawn: [], denied: [] }

/** The same tool with the same input in the same folder. */
export function callKey({ toolName, input, cwd = '' }: Call): string {
  return `${toolName}\n${cwd}\n${inputHash(input)}`
}

interface Call {
  readonly toolName: string
  readonly input: object
  readonly cwd?: string | undefined
}

/** The fold. A new prompt of a caller ends what was denied: it may ask for the very call. */
export function evolveAsked(asked: AskedCalls, event: SessionEvent): AskedCalls {
  return next(asked, event, (open, call) => [...open, call])
}

/** The same for a sequence of events of whose states only the last is kept: what is open is added to one list. */
export function evolvingAsked(): typeof evolveAsked {
  let own: AskedCall[] = []
  const add: Add = (open, call) => {
    if (open === own) own.push(call)
    else own = [...open, call]
    return own
  }
  return (asked, event) => next(asked, event, add)
}

type Add = (open: readonly AskedCall[], call: AskedCall) => readonly AskedCall[]

function next(asked: AskedCalls, event: SessionEvent, add: Add): AskedCalls {
  switch (event.type) {
    case 'approval.opened': {
      const { approvalId, supersedes } = event
      if (openCall(asked, approvalId)) return asked
      const { withdrawn } = asked
      return {
        ...asked,
        withdrawn: withdrawn.length === 0 ? withdrawn : withoutCall(withdrawn, supersedes),
        open: add(asked.open, openedCall(event)),
      }
    }
    case 'approval.settled':
      return settled(asked, event)
    case 'prompt.accepted':
      return asked.denied.length === 0 ? asked : { ...asked, denied: [] }
    case 'turn.ended':
      return event.outcome === 'done' && asked.withdrawn.length > 0 ? { ...asked, withdrawn: [] } : asked
    default:
      return asked
  }
}

function settled(asked: AskedCalls, { approvalId, status, repeatsUntil }: EventOf<'approval.settled'>) {
  const call = openCall(asked, approvalId)
  if (!call) return asked
  const open = asked.open.filter((one) => one !== call)
  if (status === 'withdrawn') return { ...asked, open, withdrawn: [...asked.withdrawn, call].slice(-MAX) }
  if (repeatsUntil === undefined) return { ...asked, open }
  const denied = [...asked.denied.filter(({ key }) => key !== call.key), { ...call, until: repeatsUntil }]
  return { ...asked, open, denied: denied.slice(-MAX) }
}

/** Its key is made when it is compared: a new hub folds every question that is open, and compares few. */
function openedCall(event: EventOf<'approval.opened'>): AskedCall {
  return {
    approvalId: event.approvalId,
    get key() {
      return callKey(event)
    },
  }
}

function openCall({ open }: AskedCalls, id: ApprovalId): AskedCall | undefined {
  return open.find(({ approvalId }) => approvalId === id)
}

function withoutCall(calls: readonly AskedCall[], id: ApprovalId | undefined): readonly AskedCall[] {
  return calls.filter(({ approvalId }) => approvalId !== id)
}

/** The withdrawn question that such a call asks again. */
export function supersededBy(asked: AskedCalls, opened: EventOf<'approval.opened'>): ApprovalId | undefined {
  if (asked.withdrawn.length === 0 || openCall(asked, opened.approvalId)) return undefined
  const key = callKey(opened)
  return asked.withdrawn.findLast((call) => call.key === key)?.approvalId
}

const MAX = 20
