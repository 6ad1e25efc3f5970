import { type Figure, inPairs } from './harness/figure.ts'
import { allowNext } from './harness/user/allow-next.ts'
import { withHubProcess } from './harness/user/hub-process.ts'
import { HubRpc } from './harness/user/hub-rpc.ts'
import {
  atRestAndAnyMoment,
  barePage,
  clockNow,
  signedIn,
  watchFor,
  withChromium,
} from './harness/user/page.ts'
import { playedEnvironment, startPlayed } from './harness/user/played-session.ts'
import { watchStored } from './harness/user/stored-watch.ts'

const PAIRS = 300

export const figure: Figure = {
  id: 'page (question)',
  title: 'a question from being stored until the page in Chromium has painted it',
  reference: 'an event of a bare SSE server until a page that adds one line for it has painted it',
  unit: 'ms',
  goal: { max: 1.5 },
  run: () =>
    withHubProcess(playedEnvironment, ({ env, hub, project }) =>
      withChromium(async (browser) => {
        const rpc = new HubRpc(hub)
        const { child, sessionId } = await startPlayed(rpc, project)
        const [page, bare] = [await signedIn(browser, hub), await barePage(browser)]
        const stored = watchStored(env['PLEXUS_HOME'] ?? '')
        let [asked, sent] = [0, 0]
        try {
          return await inPairs(
            PAIRS,
            async () => {
              const text = `npm test -- toolu_${asked++} &&`
              const watch = await watchFor(page, text)
              await atRestAndAnyMoment()
              const over = child.ask()
              const at = await watch.shown
              const [question] = await rpc.call<{ openedAt: number }[]>('pending', { sessionId })
              await allowNext(rpc, sessionId)
              await over
              // It is opened right before it is stored.
              return at - stored.firstAfter(question?.openedAt ?? Number.NaN)
            },
            async () => {
              const text = `npm test -- line_${sent++} &&`
              const watch = await watchFor(bare.page, text)
              await atRestAndAnyMoment()
              const start = clockNow()
              bare.send([text])
              return (await watch.shown) - start
            },
          )
        } finally {
          stored.close()
          child.close()
          rpc.close()
          bare.close()
        }
      }),
    ),
}
