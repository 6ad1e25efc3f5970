import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { addLongPast, inHome } from '../test/rig/browser/long-transcript.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { newSession } from './harness/filled-store.ts'
import { withHubProcess } from './harness/user/hub-process.ts'
import { barePage, shown, signedIn, withChromium } from './harness/user/page.ts'
import { playedEnvironment } from './harness/user/played-session.ts'

const EVENTS = 10_000
const LINES = 200
const PAIRS = 10

export const figure: Figure = {
  id: 'page (scroll)',
  title: 'the longest task of the page in Chromium while a transcript of 10,000 events is scrolled through',
  reference: 'the same of a page with 200 lines of text',
  unit: 'ms',
  goal: { oursMax: 50 },
  run: () => {
    const id = randomUUID()
    const environment = async (folder: string) => {
      await inHome(join(folder, 'home'), async (store) => {
        const now = Date.now()
        await store.sessions.create({ ...newSession(id), status: 'done', createdAt: now, updatedAt: now })
        await addLongPast(store, id, EVENTS)
      })
      return playedEnvironment(folder)
    }
    return withHubProcess(environment, ({ hub }) =>
      withChromium(async (browser) => {
        const [page, bare] = [await signedIn(browser, hub), await barePage(browser)]
        await page.goto(`${hub.url}/#/s/${id}`)
        await shown(page, `needle-${EVENTS - 10}`)
        const lines = Array.from({ length: LINES }, (_, number) => `line ${number}`)
        bare.send(lines)
        await shown(bare.page, lines.at(-1) ?? '')
        return inPairs(
          PAIRS,
          () => longestTask(page, '.scroller'),
          () => longestTask(bare.page, 'html'),
        ).finally(bare.close)
      }),
    )
  },
}

/**
 * Scrolls from one end to the other, frame by frame. The longest time in which the page answered nothing is the task, also
 * where it is too short for the browser to report it.
 */
function longestTask(page: Page, scroller: string): Promise<number> {
  return page.evaluate(
    `new Promise((resolve) => {
      const box = document.querySelector(${JSON.stringify(scroller)})
      let [longest, last, isOver] = [0, performance.now(), false]
      const watch = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
      })
      watch.observe({ type: 'longtask' })
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
        if (!isOver) port2.postMessage(0)
      }
      port2.postMessage(0)
      const step = box.scrollTop > 0 ? -1_500 : 1_500
      let left = 250
      const scroll = () => {
        box.scrollTop += step
        if (--left > 0) return requestAnimationFrame(scroll)
        isOver = true
        setTimeout(() => { watch.disconnect(); resolve(longest) }, 200)
      }
      requestAnimationFrame(scroll)
    })`,
  )
}
