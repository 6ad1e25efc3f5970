import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { endWords } from '../../../src/command-line/views/answer-lines.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { onStep } from '../hub/hub-state.ts'
import { useLoaded } from '../hub/loaded.ts'
import { plainError } from '../text/plain-error.ts'
import { type CallResult, resultIn } from './call-result.ts'

interface OutcomeProps {
  readonly question: PendingQuestion
  /** What was decided on. */
  readonly children: ComponentChildren
}

/**
 * Says what came of a call that was allowed: an allowed edit is not yet a changed file. A failure stands before what was decided
 * on; what a call printed, after it, because that may be long, and its words are the session's.
 */
export function CallOutcome({ question, children }: OutcomeProps) {
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
  return (
    <>
      {result?.isError && <Result result={result} end={endWords(question, question)} />}
      {children}
      {result && !result.isError && <Result result={result} />}
    </>
  )
}

function Result({ result, end }: { readonly result: CallResult; readonly end?: string }) {
  const whole = visibleText(plainError(result.content))
  const text = whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)} …` : whole
  return (
    <div class={result.isError ? 'failed' : ''} role="status">
      <p>{result.isError ? `It was ${end}, and it failed:` : text === '' ? 'It ran.' : 'It ran:'}</p>
      {text !== '' && <pre tabIndex={0}>{text}</pre>}
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
