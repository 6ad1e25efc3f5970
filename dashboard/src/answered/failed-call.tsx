import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { onStep } from '../hub/hub-state.ts'
import { useLoaded } from '../hub/loaded.ts'
import { plainError } from '../text/plain-error.ts'
import { type CallResult, resultIn } from './call-result.ts'

/** Says that a call which was allowed has failed, and with which words: an allowed edit is not yet a changed file. */
export function FailedCall({ question }: { readonly question: PendingQuestion }) {
  const { id, sessionId, toolUseId } = question
  const seen = useSignal<CallResult | undefined>(undefined)
  const stored = useLoaded(() => readResult(question), [id])
  useEffect(
    () =>
      onStep((step) => {
        if (step.sessionId === sessionId) seen.value ??= resultIn(step.events, toolUseId)
      }),
    [id],
  )
  const result = seen.value ?? stored.value
  if (!result?.isError) return null
  const text = visibleText(plainError(result.content))
  return (
    <div class="failed" role="status">
      <p>It was allowed, and it failed:</p>
      <pre tabIndex={0}>{text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text}</pre>
    </div>
  )
}

/** Reads from the beginning of its turn on; of a very long turn not all, and then nothing is said of the result. */
async function readResult({ sessionId, turn, toolUseId }: PendingQuestion): Promise<CallResult | undefined> {
  if (toolUseId === undefined) return undefined
  const turns = await hub.call('listTurns', { sessionId })
  const first = turns.find(({ number }) => number === turn)?.firstSeq
  if (first === undefined) return undefined
  let after = first - 1
  for (let left = MAX_PAGES; left > 0; left--) {
    const { events } = await hub.call('readEvents', { sessionId, after, limit: PAGE })
    const found = resultIn(events, toolUseId)
    if (found || events.length < PAGE) return found
    after = events.at(-1)?.seq ?? after
  }
  return undefined
}

const PAGE = 500
const MAX_PAGES = 10
const MAX_TEXT = 2_000
