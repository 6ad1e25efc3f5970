import type { Approval, Settlement } from '../../approvals/approval.ts'
import type { Grant } from '../../approvals/grants/grant.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { inputHash, type SessionId } from '../../base/ids.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import type { Step } from '../record/journal.ts'

export function approvalOf(
  event: EventOf<'approval.opened'>,
  place: Pick<Approval, 'sessionId' | 'number' | 'turn' | 'openedAt'>,
): Approval {
  const { type: _, approvalId: id, ...asked } = event
  return {
    ...asked,
    carrier: asked.carrier ?? 'control',
    id,
    ...place,
    ...definedFields({ timeoutMs: event.verdict?.timeoutMs }),
    inputSha256: inputHash(event.input),
    status: 'pending',
    delivery: 'none',
  }
}

export function settlementOf(event: EventOf<'approval.settled'>): Settlement {
  const { approvalId, status, decision, by, level, via, verdict, end, repeats } = event
  return { approvalId, status, ...definedFields({ decision, by, level, via, verdict, end, repeats }) }
}

export function grantOf(
  sessionId: SessionId,
  { approvalId, remembered, by = '' }: EventOf<'approval.settled'>,
  at: number,
): Grant | undefined {
  const { id, scope, rules, endsAt } = remembered ?? {}
  if (id === undefined || scope === undefined || rules === undefined) return undefined
  return { id, sessionId, approvalId, by, at, scope, rules, ...definedFields({ endsAt }) }
}

export function grantEndOf(
  event: SessionEvent,
  at: number,
): NonNullable<Step['endedGrants']>[number] | undefined {
  if (event.type === 'grant.expired') return { id: event.grantId, how: 'expired', at }
  return event.type === 'grant.revoked' ? { id: event.grantId, how: 'revoked', at, by: event.by } : undefined
}
