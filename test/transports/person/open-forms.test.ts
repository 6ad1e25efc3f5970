import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { elicitationOf } from '../../../src/transports/person/open-forms.ts'
import { asking } from '../../rig/clients/asking-person.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { ALLOW } from '../../rig/clients/people.ts'
import { aPlace, aQuestion } from '../../rig/clients/question-engine.ts'

test('a form shows the question, and what is filled in answers it', async () => {
  const { hub, ask, shown } = asking()
  const outcome = ask()
  await nextTurn()
  expect(shown[0]?.form).toMatchObject({
    mode: 'form',
    message: expect.stringContaining('echo q1') as unknown,
    requestedSchema: { properties: { decision: { enum: ['allow', 'deny'] } } },
  })
  shown[0]?.fill(ALLOW)
  expect(await outcome).toEqual({})
  expect(hub.answered).toMatchObject([{ input: { approvalId: 'q1', answers: ['allow'] } }])
})

test.each([
  [500, false],
  [5_000, true],
])('a form that comes back after %d ms is of a person: %s', async (tookMs, person) => {
  const { hub, ask, shown } = asking()
  let time = 1_000_000
  const outcome = ask(
    aQuestion(),
    undefined,
    aPlace({}, () => time),
  )
  await nextTurn()
  time += tookMs
  shown[0]?.fill(ALLOW)
  await outcome
  expect(hub.answered).toMatchObject([{ caller: { person } }])
})

describe('a question has one form', () => {
  test('for all calls, and none once it is answered', async () => {
    const { ask, shown } = asking()
    const outcomes = [ask(), ask()]
    await nextTurn()
    expect(shown).toHaveLength(1)
    shown[0]?.fill(ALLOW)
    await Promise.all(outcomes)
    expect(await ask()).toEqual({})
    expect(shown).toHaveLength(1)
  })

  test('and another after it was cancelled, or filled in wrongly', async () => {
    const { ask, shown } = asking()
    for (const [at, filled, outcome] of [
      [0, { action: 'cancel' }, {}],
      [1, 'nonsense', { note: expect.stringContaining('does not fit') as unknown }],
    ] as const) {
      const over = ask()
      await nextTurn()
      shown[at]?.fill(filled)
      expect(await over).toEqual(outcome)
    }
    void ask()
    await nextTurn()
    expect(shown).toHaveLength(3)
  })

  test('that is counted, so that nobody is asked twice in one call', async () => {
    const second = aQuestion({ id: 'q2' })
    const { forms, ask } = asking(aQuestion(), second)
    expect([forms.count, forms.wasPut('q1')]).toEqual([0, false])
    const [first, last] = [ask(), ask(second)]
    expect([forms.count, forms.wasPut('q1'), forms.wasPut('q3')]).toEqual([2, true, false])
    expect([forms.putSince('q1', 0), forms.putSince('q1', 1), forms.putSince('q2', 1)]).toEqual([
      first,
      undefined,
      last,
    ])
    expect(forms.putSince('q2', 1)).toBe(last)
  })
})

describe('a form is withdrawn', () => {
  test.each([
    [{ by: 'operator' }, 'The question was denied by operator while the person was asked.'],
    [{ status: 'expired' as const }, 'The question was expired while the person was asked.'],
  ])('when somebody else was first: %j', async (how, note) => {
    const { hub, ask, shown } = asking()
    const outcome = ask()
    await nextTurn()
    hub.emit({ type: 'approval.opened', approvalId: 'q1' } as SessionEvent)
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

test('a client that cannot show it after all leaves the question open', async () => {
  const { forms } = asking()
  expect(await forms.put(aPlace(), aQuestion(), () => Promise.reject(new Error('gone')))).toEqual({})
})

test('a hub that is lost does not settle the question: the form stays', async () => {
  const { hub, ask, shown } = asking()
  hub.lost = new Error('The hub is gone.')
  const outcome = ask()
  await nextTurn()
  expect(shown[0]?.signal.aborted).toBe(false)
  shown[0]?.fill(ALLOW)
  expect(await outcome).toEqual({})
  expect(hub.answered).toHaveLength(1)
})

test('a page to visit is no form', async () => {
  const visit = aQuestion({ kind: 'form', input: { mode: 'url', url: 'https://example.com' } })
  const { hub, ask, shown } = asking(visit)
  expect(await elicitationOf(hub.engine, { caller: CALLERS.owner }, visit)).toBeUndefined()
  expect(await ask(visit)).toEqual({})
  expect(shown).toEqual([])
})
