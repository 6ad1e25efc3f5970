import type { PendingQuestion } from '../../engine/engine.ts'
import type { ClientHub } from '../command.ts'
import type { Offered } from '../dialog/dialog.ts'

/** The rules that a question offers, for a screen: it also takes that they could not be read. */
export function readOffers(
  { engine, context }: ClientHub,
  { id: approvalId, sessionId }: PendingQuestion,
): Promise<Offered> {
  return engine.offerRules(context, { approvalId, sessionId }).catch(() => 'failed' as const)
}
