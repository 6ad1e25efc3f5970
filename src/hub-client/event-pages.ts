import type { SseFrame } from '../text/sse-frames.ts'
import { z } from 'zod'
import type { FollowedPage } from '../engine/follow-all.ts'
import type { Page } from '../sessions/record/read-events.ts'

const Gap = z.object({ from: z.number(), to: z.number() })
const Stored = z.custom<Page['events'][number]>().and(z.object({ seq: z.number() }))

/** The events in these frames as pages after `after`; events up to `after` are skipped. */
export function pagesOf(frames: readonly SseFrame[], after: number): Page[] {
  const pages: { events: Page['events'][number][]; gap?: { from: number; to: number } }[] = []
  let last = after
  for (const { event, data } of frames) {
    if (event === 'gap') {
      const gap = Gap.parse(JSON.parse(data))
      if (gap.to <= last) continue
      pages.push({ events: [], gap: { from: last + 1, to: gap.to } })
      last = gap.to
    } else if (event === 'message') {
      const stored = Stored.parse(JSON.parse(data))
      if (stored.seq <= last) continue
      if (pages.length === 0) pages.push({ events: [] })
      pages.at(-1)?.events.push(stored)
      last = stored.seq
    }
  }
  return pages
}

/** The last seq that a page covers. */
export function endOf(page: Page, before: number): number {
  return page.events.at(-1)?.seq ?? page.gap?.to ?? before
}

const Position = z.object({ position: z.number(), missed: z.literal(true).optional() })
const FeedStepFrame = z.custom<FollowedPage['steps'][number]>().and(z.object({ position: z.number() }))

/** The steps in these frames, a page for each. */
export function feedPagesOf(frames: readonly SseFrame[]): FollowedPage[] {
  return frames.flatMap(({ event, data }): FollowedPage[] => {
    if (event === 'position') {
      const { position, missed } = Position.parse(JSON.parse(data))
      return [{ steps: [], position, ...(missed ? { missed } : {}) }]
    }
    if (event !== 'message') return []
    const step = FeedStepFrame.parse(JSON.parse(data))
    return [{ steps: [step], position: step.position }]
  })
}
