import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import type { Figure, Samples } from './harness/figure.ts'
import { type HubProcess, withHubProcess } from './harness/user/hub-process.ts'
import { HubRpc } from './harness/user/hub-rpc.ts'
import { signedIn, withChromium } from './harness/user/page.ts'
import type { PlayedChild } from './harness/user/played-child.ts'
import { playedEnvironment, startPlayed } from './harness/user/played-session.ts'

const PAGES = 20
const SESSIONS = 10
/** With each of the two hubs as ours. */
const ROUNDS = 12
/** As often as the hub sends something to each page: with shorter rounds most would have none of it. */
const ROUND_MS = 15_000

export const figure: Figure = {
  id: 'page (idle)',
  title:
    'processor time of an idle hub with 10 live sessions in 15 s, 20 pages open, each in a browser of its own',
  reference: 'the same of another hub, no page open',
  unit: 'ms',
  goal: { max: 1.2 },
  run: () =>
    withHubProcess(playedEnvironment, (one) =>
      withHubProcess(playedEnvironment, (other) =>
        withChromium(async (browser) => {
          const children: PlayedChild[] = []
          for (const { hub, project } of [one, other]) {
            const rpc = new HubRpc(hub)
            for (let left = SESSIONS; left > 0; left--) children.push((await startPlayed(rpc, project)).child)
            rpc.close()
          }
          const samples: Samples = { ours: [], reference: [] }
          // Each hub has the pages once: what makes one process differ from the other then counts for both sides.
          await measure(browser, one.hub, other.hub, samples)
          await measure(browser, other.hub, one.hub, samples)
          for (const child of children) child.close()
          return samples
        }),
      ),
    ),
}

async function measure(
  browser: Browser,
  ours: HubProcess,
  reference: HubProcess,
  samples: Samples,
): Promise<void> {
  const pages: Page[] = []
  for (let left = PAGES; left > 0; left--) {
    // Each in a browser of its own: the tabs of one browser share one stream.
    const page = await signedIn(browser, ours)
    await page.getByText('Nothing waits for you.').waitFor()
    pages.push(page)
  }
  await sleep(ROUND_MS) // the start is over
  for (let left = ROUNDS; left > 0; left--) {
    const before = [runTimeOf(ours.pid), runTimeOf(reference.pid)]
    await sleep(ROUND_MS)
    samples.ours.push(runTimeOf(ours.pid) - (before[0] ?? 0))
    samples.reference.push(runTimeOf(reference.pid) - (before[1] ?? 0))
  }
  for (const page of pages) await page.context().close()
}

/** Processor time of all threads of a process in milliseconds, finer than the ticks of its status. */
function runTimeOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1_000_000
}
