import { type Figure, inPairs } from './harness/figure.ts'
import { keyUntilTool, withAnsweredTerminals } from './harness/user/answered-terminal.ts'

export const figure: Figure = {
  id: 'terminal (answered here)',
  title: 'a question of a terminal from being allowed at the hub until its tool has run',
  reference: 'a key in a terminal without the relay until the tool has run',
  unit: 'ms',
  goal: { oursMax: 500 },
  run: () =>
    withAnsweredTerminals(({ ours, bare, question }) => {
      const measured = async () => {
        await ours.dialog()
        const asked = await question()
        const start = performance.now()
        await asked.allow()
        await ours.toolRuns()
        const ms = performance.now() - start
        await ours.turnEnds()
        return ms
      }
      return inPairs(30, measured, () => keyUntilTool(bare))
    }),
}
