import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { Joined } from '../text/joined.tsx'

interface AsAskedProps {
  readonly input: PendingQuestion['input']
  readonly sha256: string
}

/** What was proposed, on demand, where something else is approved. */
export function AsAsked({ input, sha256 }: AsAskedProps) {
  const { command, plan } = input
  const text = [plan, command].find((one) => typeof one === 'string') ?? JSON.stringify(input, null, 2)
  return (
    <details>
      <summary>As it was asked, before the edit (sha256 {sha256.slice(0, 12)})</summary>
      <pre tabIndex={0}>
        <Joined text={visibleText(text)} />
      </pre>
    </details>
  )
}
