import { bareNode, commandOf, withCommandHub } from './harness/user/command-start.ts'
import { type Figure, inPairs } from './harness/figure.ts'

export const figure: Figure = {
  id: 'plexus ls',
  title: '`plexus ls` from its start to its end, hub running',
  reference: '`node -e 0`',
  unit: 'ms',
  goal: { max: 2.5 },
  run: () =>
    withCommandHub(({ env }) =>
      inPairs(
        150,
        () => commandOf(env, 'ls'),
        () => bareNode(env),
      ),
    ),
}
