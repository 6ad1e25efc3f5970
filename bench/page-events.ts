import { type Figure, inPairs } from './harness/figure.ts'
import { withHubProcess } from './harness/user/hub-process.ts'
import { HubRpc } from './harness/user/hub-rpc.ts'
import { barePage, clockNow, signedIn, watchFor, withChromium } from './harness/user/page.ts'
import { playedEnvironment, startPlayed } from './harness/user/played-session.ts'

const EVENTS = 3_000
const PAIRS = 8

export const figure: Figure = {
  id: 'page (events)',
  title: '3,000 texts that a child prints at once, until the page in Chromium has painted the last of them',
  reference:
    'as many events of a bare SSE server until a page that adds one line for each has painted the last',
  unit: 'ms',
  goal: { max: 1.5 },
  run: () =>
    withHubProcess(playedEnvironment, ({ hub, project }) =>
      withChromium(async (browser) => {
        const rpc = new HubRpc(hub)
        let round = 0
        return inPairs(
          PAIRS,
          async () => {
            // A new session each time, as the bare page is a new one: what was shown before burdens neither.
            const { child, sessionId } = await startPlayed(rpc, project)
            const page = await signedIn(browser, hub)
            await page.goto(`${hub.url}/#/s/${sessionId}`)
            await page.getByText('go', { exact: true }).waitFor()
            const texts = textsOf(round++)
            const watch = await watchFor(page, texts.at(-1) ?? '')
            const start = clockNow()
            child.print(texts)
            const took = (await watch.shown) - start
            await page.context().close()
            child.close()
            return took
          },
          async () => {
            const bare = await barePage(browser)
            const texts = textsOf(round++)
            const watch = await watchFor(bare.page, texts.at(-1) ?? '')
            const start = clockNow()
            bare.send(texts)
            const took = (await watch.shown) - start
            await bare.page.context().close()
            bare.close()
            return took
          },
        ).finally(() => rpc.close())
      }),
    ),
}

function textsOf(round: number): string[] {
  return Array.from(
    { length: EVENTS },
    (_, number) => `Round ${round}: I have read file ${number} and go on.`,
  )
}
