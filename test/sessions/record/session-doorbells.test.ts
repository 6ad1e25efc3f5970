import { expect, test } from 'vitest'
import type { Doorbell } from '../../../src/base/doorbell.ts'
import { ANY, Doorbells } from '../../../src/sessions/record/session-doorbells.ts'

const rung = (...doorbells: Doorbell[]) => Promise.all(doorbells.map((doorbell) => doorbell.next(0)))

test('a step wakes who listens to its session or to any, and nobody else', async () => {
  const all = new Doorbells()
  const [one, two, both, any] = [all.listen('1'), all.listen('2'), all.listen('1', '2'), all.listen(ANY)]
  const bells = [one, two, both, any].map(({ doorbell }) => doorbell)
  all.ring('1')
  expect(await rung(...bells)).toEqual([true, false, true, true])
  all.ring('2')
  expect(await rung(...bells)).toEqual([false, true, true, true])
})

test('who stops is woken no more, and who listens beside it still is', async () => {
  const all = new Doorbells()
  const [gone, stays] = [all.listen('1'), all.listen('1')]
  gone.stop()
  all.ring('1')
  expect(await rung(gone.doorbell, stays.doorbell)).toEqual([false, true])
  stays.stop()
  stays.stop() // again changes nothing
  all.ring('1')
  expect(await rung(stays.doorbell)).toEqual([false])
})
