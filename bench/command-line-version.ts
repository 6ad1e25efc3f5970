import { bareNode, commandOf } from './harness/user/command-start.ts'
import { type Figure, inPairs } from './harness/figure.ts'

const env = { PATH: '/usr/bin:/bin' }

export const figure: Figure = {
  id: 'plexus --version',
  title: '`plexus --version` from its start to its end',
  reference: '`node -e 0`',
  unit: 'ms',
  goal: { max: 1.4 },
  run: () =>
    inPairs(
      40,
      () => commandOf(env, '--version'),
      () => bareNode(env),
    ),
}
