import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { found, type Item } from './transcript.ts'

interface ToolsProps {
  readonly items: readonly Item[]
  /** The seq of the item that was jumped to. */
  readonly marked: number | undefined
  readonly onJump: (index: number) => void
}

/** Finds a text, or the questions, in the whole transcript: most of it is not in the document, so the browser cannot. */
export function TranscriptTools({ items, marked, onJump }: ToolsProps) {
  const search = useSignal('')
  const matches = useMemo(() => found(items, search.value), [items, search.value])
  const asked = useMemo(
    () =>
      items.flatMap((item, index) => (item.type === 'call' && item.approvalId !== undefined ? [index] : [])),
    [items],
  )
  const current = marked === undefined ? items.length : items.findIndex(({ seq }) => seq === marked)
  const older = (of: readonly number[]) => of.findLast((index) => index < current) ?? of.at(-1)
  const newer = (of: readonly number[]) => of.find((index) => index > current) ?? of[0]
  const go = (index: number | undefined) => {
    if (index !== undefined) onJump(index)
  }
  const position = matches.indexOf(current) + 1
  return (
    <div class="tools">
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          go(older(matches))
        }}
      >
        <input
          type="text"
          aria-label="Search the transcript"
          placeholder="Search"
          value={search.value}
          onInput={({ currentTarget }) => (search.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !event.shiftKey) return
            event.preventDefault()
            go(newer(matches))
          }}
        />{' '}
        {search.value !== '' && (
          <span class="faint" role="status">
            {position > 0 ? `${position} of ` : ''}
            {matches.length} found; Enter for the one before, Shift+Enter for the next
          </span>
        )}
      </form>
      {asked.length > 0 && (
        <div class="buttons">
          <button type="button" class="small" onClick={() => go(older(asked))}>
            Question before
          </button>
          <button type="button" class="small" onClick={() => go(newer(asked))}>
            Next question
          </button>
        </div>
      )}
    </div>
  )
}
