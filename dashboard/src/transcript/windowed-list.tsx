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
/** A scroll is over when none was reported for so long. */
const REST_MS = 120
/** The heights of rows that were never shown are estimates, so the browser cannot know where the ends are. */
const ENDS: Readonly<Record<string, Place>> = { Home: { index: 0, offset: 0 }, End: 'end' }

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

  /** While the reader scrolls: how far below their computed place the rows are. */
  const drift = useRef(0)
  const scrolling = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  /** The position that was set or reported last, and the place that it stands for. */
  const known = useRef<{ readonly top: number; readonly place: Place }>({ top: 0, place: place.peek() })

  /** Measures the rows, puts the reader's place where it was, and finds which rows are in view there. */
  const settle = () => {
    const [box, rows] = [scroller.current, list.current]
    if (!box || !rows) return
    // The browser scrolls first and reports it with the next frame: without this the reader would be put back.
    if (isUnreported(box)) noteScroll(box)
    const [from, to] = range.peek()
    for (const [index, element] of [...rows.children].entries())
      heights.set(from + index, element.getBoundingClientRect().height)
    const [now, top] = [place.peek(), box.scrollTop]
    // To set the position would end a scroll that the browser animates: the rows are moved instead, until it is over.
    const moved = now === 'end' || !scrolling.current ? 0 : top + now.offset - heights.before(now.index)
    drift.current = heights.before(from) + moved < 0 ? 0 : moved
    rows.style.paddingTop = `${heights.before(from) + drift.current}px`
    rows.style.paddingBottom = `${heights.total - heights.before(Math.min(to, heights.count))}px`
    const wanted =
      now === 'end'
        ? box.scrollHeight - box.clientHeight
        : heights.before(now.index) + drift.current - now.offset
    if (Math.abs(top - wanted) >= 1) box.scrollTop = wanted
    known.current = { top: box.scrollTop, place: now }
    showRowsIn(box)
  }
  /** At the end the browser itself moves the position, when what is shown becomes shorter. */
  const isUnreported = (box: HTMLDivElement) =>
    known.current.place === place.peek() && Math.abs(box.scrollTop - known.current.top) >= 1 && !isAtEnd(box)
  const showRowsIn = (box: HTMLDivElement) => {
    const top = box.scrollTop - drift.current
    const next = [
      heights.indexAt(top - MARGIN),
      Math.min(heights.count, heights.indexAt(top + box.clientHeight + MARGIN) + 1),
    ] as const
    if (next[0] === range.peek()[0] && next[1] === range.peek()[1]) return
    keepFocus(box, next)
    range.value = next
  }
  const noteScroll = (box: HTMLDivElement) => {
    clearTimeout(scrolling.current)
    scrolling.current = setTimeout(onRest, REST_MS)
    const top = box.scrollTop - drift.current
    const index = heights.indexAt(top)
    place.value = isAtEnd(box) ? 'end' : { index, offset: heights.before(index) - top }
    known.current = { top: box.scrollTop, place: place.peek() }
  }
  const onScroll = ({ currentTarget: box }: { readonly currentTarget: HTMLDivElement }) => {
    noteScroll(box)
    showRowsIn(box)
  }
  const onRest = () => {
    scrolling.current = undefined
    settle()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = event.target === scroller.current ? ENDS[event.key] : undefined
    if (to === undefined) return
    event.preventDefault()
    clearTimeout(scrolling.current)
    scrolling.current = undefined
    place.value = to
    settle()
  }
  useLayoutEffect(settle)
  useEffect(() => {
    const watch = new ResizeObserver(settle)
    if (scroller.current) watch.observe(scroller.current)
    return () => {
      watch.disconnect()
      clearTimeout(scrolling.current)
    }
  }, [])
  return (
    // A keyboard scrolls what has the focus.
    <div
      class="scroller"
      ref={scroller}
      tabIndex={0}
      role="group"
      aria-label={label}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <ol ref={list}>
        {Array.from({ length: Math.max(0, Math.min(end, count) - first) }, (_, index) => row(first + index))}
      </ol>
      {children}
    </div>
  )
}

function isAtEnd(box: HTMLDivElement): boolean {
  return box.scrollTop + box.clientHeight >= box.scrollHeight - NEAR_END
}

/** A row that leaves the document takes the focus with it; the list gets it, so that the keyboard still scrolls. */
function keepFocus(box: HTMLDivElement, [first, end]: readonly [number, number]): void {
  const focused = document.activeElement?.closest('[aria-posinset]')
  if (!focused || !box.contains(focused)) return
  const index = Number(focused.getAttribute('aria-posinset')) - 1
  if (index < first || index >= end) box.focus({ preventScroll: true })
}
