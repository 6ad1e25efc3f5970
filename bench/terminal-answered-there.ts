import { type Figure, inPairs } from './harness/figure.ts'
import { keyUntilTool, withAnsweredTerminals } from './harness/user/answered-terminal.ts'

export const figure: Figure = {
  id: 'terminal (answered there)',
  title: 'a question from the key in its terminal until the hub knows that it is over',
  reference: 'a key in a terminal without the relay until the tool has run',
  unit: 'ms',
  goal: { oursMax: 500 },
  run: () =>
    withAnsweredTerminals(({ ours, bare, question }) => {
      const measured = async () => {
        await ours.dialog()
        const asked = await question()
        const start = performance.now()
        ours.pressYes()
        await asked.isOver()
        const ms = performance.now() - start
        await ours.turnEnds()
        return ms
      }
      return inPairs(30, measured, () => keyUntilTool(bare))
    }),
}
