import { expect, test } from 'vitest'
import { readPage } from '../../../src/sessions/record/read-events.ts'
import { question, turn } from '../../rig/cli/scripted-lines.ts'
import { startSessions, stores } from '../../rig/hubs/sessions.ts'

const DAY = 86_400_000

test.each(stores)(
  'R9: on %s a clock that jumps a day changes neither the order nor who is idle',
  async (store) => {
    let jump = 0
    const script = [...turn(), ...turn(), ...turn(...question('q1'))]
    const limits = { idleMs: 3_600_000 }
    const now = () => Date.now() + jump
    const all = await startSessions({ store, scenario: { main: [] }, script, limits, now })
    const { id } = await all.start('go')
    await all.settled(id)
    for (const next of [DAY, -DAY]) {
      jump = next
      await all.supervisor.sweep()
      expect((await all.supervisor.wake(id)).hasProcess).toBe(true)
      await all.supervisor.say(id, 'again')
      if (next > 0) await all.settled(id)
    }
    const asked = await all.event(id, 'approval.opened')
    jump = DAY
    await all.supervisor.sweep()
    expect(await all.get(id)).toMatchObject({ status: 'waiting' })
    await all.allow(id, asked)
    expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 3 })

    const { events, gap } = await readPage(all.store, id, 0, 1_000)
    expect(gap).toBeUndefined()
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    const types = events.map(({ event }) => event.type)
    expect(types.filter((type) => type === 'turn.ended')).toHaveLength(3)
    expect(types.indexOf('approval.opened')).toBeLessThan(types.indexOf('approval.settled'))
    // The times did go back, so the order is not theirs.
    const times = events.map(({ at }) => at)
    expect(times).not.toEqual(times.toSorted((a, b) => a - b))
    expect((await all.store.turns.list(id)).map(({ number }) => number)).toEqual([1, 2, 3])
  },
)
