/** The tour as a person takes it: in a real terminal, with the real CLI. */
import { expect, test } from 'vitest'
import { hasTerminal } from '../../rig/tools/terminal.ts'
import { openTour } from '../../rig/tools/tour.ts'

test.skipIf(!hasTerminal)(
  'a person allows, denies, chooses and approves, and answers a question whose hub was killed',
  async () => {
    const tour = await openTour()
    await tour.asks('demo.1 needs you')
    tour.press('z') // means nothing, so it is asked still
    tour.press('a')
    await tour.sees('Allowed, and it ran: greeting.txt says hello.')
    await tour.asks('demo.2 needs you')
    expect(tour.screen()).toContain('- const port = 3000')
    tour.press('d')
    await tour.sees('why not?')
    tour.press('Enter')
    await tour.sees('You denied it; nothing was written.')
    await tour.asks('demo.3 needs you')
    tour.press('2', 'Enter')
    await tour.sees('You chose Postgres.')
    await tour.asks('demo.4 needs you')
    tour.press('a')
    await tour.sees('The plan is approved.')
    await tour.sees('Press Enter, and its hub is killed.')
    tour.press('x')
    await tour.sees('Enter kills the hub; Ctrl-C ends the tour.')
    tour.press('Enter')
    await tour.sees(/kill -9 \d+/)
    await tour.sees(/A hub runs again \(pid \d+\), and the question is still there\./)
    await tour.asks('demo.5 needs you')
    tour.press('a')
    await tour.sees('Allowed, and it ran, once: copy.js is there.')
    const screen = await tour.sees('exit code 0')
    expect(screen).toContain('plexus install claude-code\n  plexus start "Fix the failing test"')
    expect(await tour.left()).toEqual([])
  },
)

test.skipIf(!hasTerminal)('Ctrl-C at a question ends all that the tour started', async () => {
  const tour = await openTour()
  await tour.sees('demo.1 needs you')
  tour.press('C-c', 'C-c')
  expect(await tour.sees('exit code 130')).toContain('You ended the tour; nothing of it is left.')
  expect(await tour.left()).toEqual([])
})
