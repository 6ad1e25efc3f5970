import { type Figure, inPairs } from './harness/figure.ts'
import { withTerminals } from './harness/user/terminal-claude.ts'

export const figure: Figure = {
  id: 'terminal dialog',
  title: 'a prompt in a terminal until its dialog is on the screen, the relay held by a hub',
  reference: 'the same in a terminal without the relay',
  unit: 'ms',
  goal: { max: 1.1 },
  run: () => withTerminals((ours, bare) => inPairs(500, ours, bare)),
}
