import { allowNext } from './harness/user/allow-next.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { type WatchedHub, withWatchedHub } from './harness/user/watched-hub.ts'

const CHANGES = 10

interface Question {
  readonly openedAt: number
  readonly input: { readonly command: string }
}

export const figure: Figure = {
  id: 'watch (paint)',
  title:
    'the slowest of 10 changes from being stored until `plexus watch` has painted it, 200 sessions, 50 questions opened and 50 settled a second',
  reference: 'the same until a client that waits for that session has it',
  unit: 'ms',
  goal: { oursMax: 100 },
  run: () =>
    withWatchedHub(async (watched) => {
      let reference: number[] = []
      return inPairs(
        12,
        async () => {
          const changes: { painted: number; received: number }[] = []
          for (let left = CHANGES; left > 0; left--) changes.push(await nextQuestion(watched))
          reference = changes.map(({ received }) => received)
          return Math.max(...changes.map(({ painted }) => painted))
        },
        () => Math.max(0, ...reference),
      )
    }),
}

/** The question of the selected session is allowed, and the next is awaited: on the screen, and by a call. */
async function nextQuestion({
  rpc,
  selected,
  shows,
}: WatchedHub): Promise<{ painted: number; received: number }> {
  const { sessionId, child } = selected
  const [before] = await rpc.call<Question[]>('pending', { sessionId })
  const number = Number(/toolu_(\d+)/.exec(before?.input.command ?? '')?.[1])
  await allowNext(rpc, sessionId)
  const painting = shows(`    npm test -- toolu_${number + 1} &&`)
  const receiving = rpc.call('waitFor', { sessionIds: [sessionId], seconds: 50 }).then(() => Date.now())
  void child.ask()
  const [paintedAt, receivedAt] = [await painting, await receiving]
  const [question] = await rpc.call<Question[]>('pending', { sessionId })
  const openedAt = question?.openedAt ?? Number.NaN
  return { painted: paintedAt - openedAt, received: receivedAt - openedAt }
}
