import type { Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { subjectOf } from '../../../src/command-line/views/log-lines.ts'
import { clockTime } from '../../../src/command-line/views/session-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { Markdown } from '../text/markdown-view.tsx'
import { CallInput } from './call-input.tsx'
import { ForkHere } from './fork-here.tsx'
import type { Item } from './transcript.ts'

interface RowProps {
  readonly item: Item
  readonly sessionId: string
  readonly index: number
  readonly count: number
  readonly isMarked: boolean
  /** The items that the person has unfolded, by seq: a row that leaves the document forgets it. */
  readonly unfolded: Signal<ReadonlySet<number>>
}

/** One item of a transcript as a row of its list; it says which one of how many it is, because not all are in the document. */
export function ItemRow({ item, sessionId, index, count, isMarked, unfolded }: RowProps) {
  const isOpen = unfolded.value.has(item.seq)
  // The same element again for the same item: most rows do not change while others arrive.
  const view = useMemo(() => {
    const onToggle = (open: boolean) => {
      if (open === unfolded.peek().has(item.seq)) return
      const next = new Set(unfolded.peek())
      if (!next.delete(item.seq)) next.add(item.seq)
      unfolded.value = next
    }
    return <ItemView item={item} sessionId={sessionId} isOpen={isOpen} onToggle={onToggle} />
  }, [item, isOpen])
  const kind = `item ${item.type}${item.isAgent ? ' agent' : ''}${isMarked ? ' marked' : ''}`
  return (
    <li
      class={kind}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-current={isMarked ? 'true' : undefined}
    >
      {view}
    </li>
  )
}

interface ItemProps {
  readonly item: Item
  readonly sessionId: string
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
}

function ItemView({ item, sessionId, isOpen, onToggle }: ItemProps) {
  const time = <time class="faint">{clockTime(item.at)}</time>
  switch (item.type) {
    case 'call':
      return <CallView item={item} isOpen={isOpen} onToggle={onToggle} />
    case 'thinking':
      return (
        <details open={isOpen} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
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
    case 'turn':
      return (
        <>
          <span class={item.isBad ? 'attention' : 'faint'}>{visibleText(item.text)}</span> {time}
          <ForkHere sessionId={sessionId} turn={item.turn} />
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

type CallProps = Omit<ItemProps, 'item' | 'sessionId'> & { readonly item: Extract<Item, { type: 'call' }> }

function CallView({ item, isOpen, onToggle }: CallProps) {
  const { toolName, input, proposed, answers, result, supervision, approvalId } = item
  const waits = supervision === 'waits for an answer'
  const state = result === undefined ? 'runs or waits' : result.isError ? 'failed' : 'done'
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
      <summary>
        <b>{visibleText(toolName)}</b> <code>{visibleText(subjectOf(input))}</code>{' '}
        {waits ? (
          <span class="attention">{supervision}</span>
        ) : (
          <span class="faint">
            {state}
            {supervision !== undefined && `, ${visibleText(supervision)}`}
          </span>
        )}
        {answers?.map((answer, index) => (
          <q key={index}>{visibleText(answer)}</q>
        ))}
      </summary>
      {approvalId !== undefined && (
        <p>
          <a href={`#/q/${approvalId}`}>The question about it</a>
        </p>
      )}
      {isOpen && <CallInput toolName={toolName} input={input} />}
      {isOpen && proposed !== undefined && (
        <>
          <p class="faint">It was edited before it was allowed. This was asked about:</p>
          <CallInput toolName={toolName} input={proposed} />
        </>
      )}
      {isOpen && result !== undefined && (
        <pre class={result.isError ? 'failed' : ''}>{visibleText(result.text)}</pre>
      )}
    </details>
  )
}
