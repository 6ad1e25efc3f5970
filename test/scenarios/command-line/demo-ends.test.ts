/** The other ends of the tour: everything denied on a narrow screen, Ctrl-C at any moment, a terminal that is closed. */
import { expect, test } from 'vitest'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'
import { openTour } from '../../rig/tools/tour.ts'

type Tour = Awaited<ReturnType<typeof openTour>>

async function deny(tour: Tour, question: string): Promise<void> {
  await tour.asks(question)
  tour.press('d')
  await tour.sees('(Enter sends it, Esc goes back)')
  tour.press('Enter')
}

/** To the moment before the hub is killed. */
async function allowAll(tour: Tour): Promise<void> {
  for (const question of ['demo.1 needs you', 'demo.2 needs you', 'demo.3 needs you', 'demo.4 needs you']) {
    await tour.asks(question)
    if (question.startsWith('demo.3')) tour.press('1', 'Enter')
    else tour.press('a')
  }
  await tour.sees('Press Enter, and its hub is killed.')
}

test.skipIf(!hasTerminal)('whoever denies is shown each time that nothing was written', async () => {
  const tour = await openTour()
  await deny(tour, 'demo.1 needs you')
  await deny(tour, 'demo.2 needs you')
  await tour.asks('demo.3 needs you')
  tour.press('1', 'Enter')
  await deny(tour, 'demo.4 needs you')
  await tour.sees('Press Enter, and its hub is killed.')
  tour.press('Enter')
  await deny(tour, 'demo.5 needs you')
  const screen = await tour.sees('exit code 0')
  expect(screen.match(/^You denied it; nothing was written\.$/gm)).toHaveLength(3)
  expect(screen).toContain('You denied it; the session keeps planning, and nothing was written.')
  expect(screen).not.toContain('Allowed')
  expect(await tour.left()).toEqual([])
})

test.skipIf(!hasTerminal)('no word of the tour is broken on a screen of 40 columns', async () => {
  const tour = await openTour({ columns: 40 })
  await tour.asks('demo.1 needs you')
  expect(tour.screen()).toContain(
    'Plexus runs Claude Code sessions.\nNothing happens that nobody answered\nfor.\n',
  )
  tour.press('a')
  await tour.sees('2 of 5: An edit')
  tour.press('C-c')
  await tour.sees('exit code 130')
})

test.skipIf(!hasTerminal).each([
  ['before the hub is killed', async () => {}],
  [
    'while there is no hub',
    async (tour: Tour) => {
      tour.press('Enter')
      await tour.sees('The hub is dead.')
    },
  ],
  [
    'when there is a hub again',
    async (tour: Tour) => {
      tour.press('Enter')
      await tour.sees('demo.5 needs you')
    },
  ],
] as const)('Ctrl-C %s leaves nothing', async (_, reach) => {
  const tour = await openTour()
  await allowAll(tour)
  await reach(tour)
  tour.press('C-c')
  await tour.sees('exit code 130')
  expect(await tour.left()).toEqual([])
})

test.skipIf(!hasTerminal)('a terminal that is closed ends all of it', async () => {
  const tour = await openTour()
  await tour.sees('demo.1 needs you')
  tour.close()
  await eventually(async () => expect(await tour.left()).toEqual([]))
})
