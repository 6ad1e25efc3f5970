import type { Approval } from '../../../src/approvals/approval.ts'
import { now } from '../shell/clock.ts'
import { settledSentence } from './settled-sentence.ts'

export function SettledNote({ approval }: { readonly approval: Approval }) {
  return (
    <p class={`settled ${approval.status}`} role="status">
      {settledSentence(approval, Math.max(now.value, approval.settledAt ?? 0))}
    </p>
  )
}
