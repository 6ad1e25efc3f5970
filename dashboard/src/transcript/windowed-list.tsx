import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { RowHeights } from './row-heights.ts'

/** What the reader sees: the end, which stays in view as rows arrive, or a row and how far below the upper edge it begins. */
export type Place = 'end' | { readonly index: number; readonly offset: number }

interface WindowedListProps {
  readonly count: number
  readonly label: string
  readonly place: Signal<Place>
  readonly row: (index: number) => JSX.Element
  /** What follows the rows. */
  readonly children?: ComponentChildren
}

const ESTIMATE = 60
/** Rows so far outside of the view are in the document too, so that a small scroll finds them there. */
const MARGIN = 800
/** Within this distance of the end the reader is at the end. */
const NEAR_END = 8

/**
 * A list of rows of any height, of which only those in view are in the document. What the reader looks at stays where it is,
 * whatever arrives or turns out to be higher than estimated.
 */
export function WindowedList({ count, label, place, row, children }: WindowedListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const heights = useMemo(() => new RowHeights(ESTIMATE), [])
  const range = useSignal<readonly [first: number, end: number]>([0, 0])
  heights.grow(count)
  const [first, end] = range.value

  /** Measures the rows, puts the reader's place where it was, and finds which rows are in view there. */
  const settle = () => {
    const [box, rows] = [scroller.current, list.current]
    if (!box || !rows) return
    const [shown] = range.peek()
    for (const [index, element] of [...rows.children].entries())
      heights.set(shown + index, element.getBoundingClientRect().height)
    const [from, to] = range.peek()
    rows.style.paddingTop = `${heights.before(from)}px`
    rows.style.paddingBottom = `${heights.total - heights.before(Math.min(to, heights.count))}px`
    const now = place.peek()
    const top = now === 'end' ? box.scrollHeight - box.clientHeight : heights.before(now.index) - now.offset
    if (Math.abs(box.scrollTop - top) >= 1) box.scrollTop = top
    showRowsIn(box)
  }
  const showRowsIn = (box: HTMLDivElement) => {
    const next = [
      heights.indexAt(box.scrollTop - MARGIN),
      Math.min(heights.count, heights.indexAt(box.scrollTop + box.clientHeight + MARGIN) + 1),
    ] as const
    if (next[0] === range.peek()[0] && next[1] === range.peek()[1]) return
    keepFocus(box, next)
    range.value = next
  }
  const onScroll = ({ currentTarget: box }: { readonly currentTarget: HTMLDivElement }) => {
    const index = heights.indexAt(box.scrollTop)
    const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - NEAR_END
    place.value = isAtEnd ? 'end' : { index, offset: heights.before(index) - box.scrollTop }
    showRowsIn(box)
  }
  useLayoutEffect(settle)
  useEffect(() => {
    const watch = new ResizeObserver(settle)
    if (scroller.current) watch.observe(scroller.current)
    return () => watch.disconnect()
  }, [])
  return (
    // A keyboard scrolls what has the focus.
    <div class="scroller" ref={scroller} tabIndex={0} role="group" aria-label={label} onScroll={onScroll}>
      <ol ref={list}>
        {Array.from({ length: Math.max(0, Math.min(end, count) - first) }, (_, index) => row(first + index))}
      </ol>
      {children}
    </div>
  )
}

/** A row that leaves the document takes the focus with it; the list gets it, so that the keyboard still scrolls. */
function keepFocus(box: HTMLDivElement, [first, end]: readonly [number, number]): void {
  const focused = document.activeElement?.closest('[aria-posinset]')
  if (!focused || !box.contains(focused)) return
  const index = Number(focused.getAttribute('aria-posinset')) - 1
  if (index < first || index >= end) box.focus({ preventScroll: true })
}
