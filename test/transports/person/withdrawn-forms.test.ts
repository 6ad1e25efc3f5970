import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { asking } from '../../rig/clients/asking-person.ts'
import { aQuestion } from '../../rig/clients/question-engine.ts'

describe('a form is withdrawn', () => {
  test.each([
    [{ by: 'operator' }, 'The question was denied by operator while the person was asked.'],
    [{ status: 'expired' as const }, 'The question was expired while the person was asked.'],
  ])('when somebody else was first: %j', async (how, note) => {
    const { hub, ask, shown } = asking()
    const outcome = ask()
    await nextTurn()
    hub.emit({ type: 'text', text: 'Hi.' })
    hub.settle('another', how)
    await nextTurn()
    expect(shown[0]?.signal.aborted).toBe(false)
    hub.settle('q1', how)
    expect(await outcome).toEqual({ note })
    expect(shown[0]?.signal.aborted).toBe(true)
  })

  test('at once when the question is settled already, whatever else is open', async () => {
    const { hub, ask } = asking(aQuestion({ id: 'q2' }))
    expect(await ask()).toEqual({ note: 'The question is settled already.' })
    expect(hub.followed).toEqual([])
  })

  test('but not because another question is open too', async () => {
    const { ask, shown } = asking(aQuestion({ id: 'q0' }), aQuestion())
    void ask()
    await nextTurn()
    expect(shown[0]?.signal.aborted).toBe(false)
  })

  test('when its stream ends, and the question stays', async () => {
    const { hub, ask, shown } = asking()
    const stream = new AbortController()
    void ask(aQuestion(), stream.signal)
    await nextTurn()
    stream.abort()
    expect(shown[0]?.signal.aborted).toBe(true)
    expect(hub.answered).toEqual([])
  })
})
