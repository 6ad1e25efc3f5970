import { bareNode, commandOf, withCommandHub } from './harness/user/command-start.ts'
import { type Figure, inPairs } from './harness/figure.ts'

export const figure: Figure = {
  id: 'plexus allow',
  title: '`plexus allow` from its start to its end, hub running',
  reference: '`node -e 0`',
  unit: 'ms',
  goal: { max: 2.5 },
  run: () =>
    withCommandHub(({ env, nextQuestion }) =>
      inPairs(
        500,
        async () => {
          const id = await nextQuestion()
          const start = performance.now()
          await commandOf(env, 'allow', id)
          return performance.now() - start
        },
        () => bareNode(env),
      ),
    ),
}
