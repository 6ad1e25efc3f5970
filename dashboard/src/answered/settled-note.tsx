import type { Approval } from '../../../src/approvals/approval.ts'
import { settledSentence } from './settled-sentence.ts'

export function SettledNote({ approval }: { readonly approval: Approval }) {
  return (
    <p class={`settled ${approval.status}`} role="status">
      {settledSentence(approval, Date.now())}
    </p>
  )
}
