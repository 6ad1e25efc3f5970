import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { clockTime } from '../../../src/command-line/views/session-words.ts'
import { subjectOf } from '../../../src/command-line/views/log-lines.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { Markdown } from '../text/markdown-view.tsx'
import { found, type Item } from './transcript.ts'
import { followTranscript } from './transcript-state.ts'

/** So many items are in the page at a time; earlier ones come by a button, so that a long log stays quick. */
const WINDOW = 200

export function TranscriptView({ sessionId }: { readonly sessionId: string }) {
  const over = useMemo(() => new AbortController(), [sessionId])
  const { transcript, problem } = useMemo(() => followTranscript(sessionId, over.signal), [over])
  useEffect(() => () => over.abort(), [over])
  const first = useSignal<number | undefined>(undefined)
  const search = useSignal('')
  const { items, streaming } = transcript.value
  const start = first.value ?? Math.max(0, items.length - WINDOW)
  const matches = useMemo(() => found(items, search.value), [items, search.value])
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (first.peek() === undefined) end.current?.scrollIntoView({ block: 'end' })
  }, [items.length])
  return (
    <section class="transcript" aria-label="Transcript">
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          const next = matches.findLast((index) => index < start) ?? matches.at(-1)
          if (next !== undefined) first.value = next
        }}
      >
        <input
          type="text"
          aria-label="Search the transcript"
          placeholder="Search"
          value={search.value}
          onInput={({ currentTarget }) => (search.value = currentTarget.value)}
        />
        {search.value !== '' && (
          <span class="faint"> {matches.length} found; Enter goes to the one before</span>
        )}
      </form>
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      {start > 0 && (
        <button type="button" onClick={() => (first.value = Math.max(0, start - WINDOW))}>
          Show {Math.min(WINDOW, start)} earlier of {start}
        </button>
      )}
      <ol>
        {items.slice(start, start + 2 * WINDOW).map((item) => (
          <li key={item.seq} class={`item ${item.type}${item.isAgent ? ' agent' : ''}`}>
            <ItemView item={item} />
          </li>
        ))}
      </ol>
      {start + 2 * WINDOW < items.length && (
        <button type="button" onClick={() => (first.value = undefined)}>
          Back to the end
        </button>
      )}
      {streaming !== '' && <pre class="streaming">{visibleText(streaming)}</pre>}
      <div ref={end} />
    </section>
  )
}

function ItemView({ item }: { readonly item: Item }) {
  const time = <time class="faint">{clockTime(item.at)}</time>
  switch (item.type) {
    case 'call':
      return <CallView item={item} />
    case 'thinking':
      return (
        <details>
          <summary>Thinking {time}</summary>
          <pre>{visibleText(item.text)}</pre>
        </details>
      )
    case 'text':
      return (
        <>
          {time}
          <Markdown text={item.text} />
        </>
      )
    default:
      return (
        <>
          {time}
          <p>{visibleText(item.text)}</p>
        </>
      )
  }
}

function CallView({ item }: { readonly item: Extract<Item, { type: 'call' }> }) {
  const { toolName, input, result, supervision, approvalId } = item
  const state = result === undefined ? 'runs or waits' : result.isError ? 'failed' : 'done'
  return (
    <details>
      <summary>
        <b>{visibleText(toolName)}</b> <code>{subjectOf(input)}</code> <span class="faint">{state}</span>
        {supervision !== undefined && (
          <span class={supervision === 'waits for an answer' ? 'attention' : 'faint'}>
            , {visibleText(supervision)}
          </span>
        )}
      </summary>
      {approvalId !== undefined && (
        <p>
          <a href={`#/q/${approvalId}`}>The question about it</a>
        </p>
      )}
      <pre>{visibleText(JSON.stringify(input, null, 2))}</pre>
      {result !== undefined && <pre class={result.isError ? 'failed' : ''}>{visibleText(result.text)}</pre>}
    </details>
  )
}
