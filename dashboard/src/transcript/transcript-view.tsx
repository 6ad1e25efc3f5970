import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { visibleText } from '../../../src/text/visible-text.ts'
import { ItemRow } from './item-view.tsx'
import { followTranscript } from './transcript-state.ts'
import { TranscriptTools } from './transcript-tools.tsx'
import { type Place, WindowedList } from './windowed-list.tsx'

interface TranscriptProps {
  readonly sessionId: string
  /** The question whose call is to be shown. */
  readonly questionId?: string | undefined
}

/** Below the upper edge, so that a reader sees what came before. */
const JUMP_OFFSET = 60

/** All that a session said and did, with a way to find things in it. */
export function TranscriptView({ sessionId, questionId }: TranscriptProps) {
  const over = useMemo(() => new AbortController(), [sessionId])
  const { transcript, problem } = useMemo(() => followTranscript(sessionId, over.signal), [over])
  useEffect(() => () => over.abort(), [over])
  const place = useSignal<Place>('end')
  const marked = useSignal<number | undefined>(undefined)
  const unfolded = useSignal<ReadonlySet<number>>(new Set())
  const jumpedTo = useSignal<string | undefined>(undefined)
  const { items, streaming } = transcript.value
  const jump = (index: number) => {
    marked.value = items[index]?.seq
    place.value = { index, offset: JUMP_OFFSET }
  }
  useEffect(() => {
    if (questionId === undefined || jumpedTo.peek() === questionId) return
    const index = items.findIndex((item) => item.type === 'call' && item.approvalId === questionId)
    if (index === -1) return
    jumpedTo.value = questionId
    jump(index)
  }, [items, questionId])
  // Read here, so that a jump is painted.
  const isAtEnd = place.value === 'end'
  return (
    <section class="transcript" aria-label="Transcript">
      <TranscriptTools items={items} marked={marked.value} onJump={jump} />
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      <WindowedList
        count={items.length}
        label={`Transcript, ${items.length} entries`}
        place={place}
        row={(index) => {
          const item = items[index]
          return item ? (
            <ItemRow
              key={item.seq}
              item={item}
              sessionId={sessionId}
              index={index}
              count={items.length}
              isMarked={marked.value === item.seq}
              unfolded={unfolded}
            />
          ) : (
            <li key={index} />
          )
        }}
      >
        {streaming !== '' && <pre class="streaming">{visibleText(streaming)}</pre>}
      </WindowedList>
      {!isAtEnd && (
        <button type="button" class="small" onClick={() => (place.value = 'end')}>
          To the end
        </button>
      )}
    </section>
  )
}
