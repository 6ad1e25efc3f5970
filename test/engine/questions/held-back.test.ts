import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { heldCounts, requireShown, withoutHeldBack } from '../../../src/engine/questions/held-back.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { anApproval, aSession, aStep, idsOf } from '../../contracts/rows.ts'
import { CALLERS } from '../../rig/clients/family.ts'

const at = (via: Caller['via'], person = true): Caller => ({ ...CALLERS.operator, via, person })
const PERSON = at('page')
const OTHERS: [string, Caller][] = [
  ['a program of a person', at('rpc')],
  ['a person of whom no face is known', CALLERS.operator],
  ['a model', at('form', false)],
]

/** Two sessions, each with a question, two that are held back, and the one that stands for these; `b` shows what it holds. */
async function flooded() {
  const store = await openMemoryStore()
  for (const id of ['a', 'b']) {
    await store.sessions.create(aSession({ id, showsHeld: id === 'b' }))
    const asked = (name: string, more: object) => anApproval({ id: `${id} ${name}`, sessionId: id, ...more })
    const opened = [
      asked('first', {}),
      asked('held', { held: true }),
      asked('held too', { held: true }),
      asked('rest', { flood: true }),
    ]
    await store.journal.append(aStep(1, { sessionId: id, opened }))
  }
  const open = await store.approvals.pending()
  const named = (id: string) => open.find((one) => one.id === id) ?? anApproval({ id, sessionId: 'a' })
  const answer = (caller: Caller, id: string, given: object = { approve: true }) =>
    requireShown(store, caller, named(id), given)
  return { store, open, named, answer }
}

describe('of what is open', () => {
  test('a person is shown nothing that is held back, but one at a time where a session shows them', async () => {
    const { store, open } = await flooded()
    expect(idsOf(await withoutHeldBack(store, PERSON, open))).toEqual([
      'a first',
      'a rest',
      'b first',
      'b held',
      'b rest',
    ])
  })

  test.each(OTHERS)('%s is shown every question, and none that stands for others', async (_, caller) => {
    const { store, open } = await flooded()
    expect(idsOf(await withoutHeldBack(store, caller, open))).toEqual(
      idsOf(open).filter((id) => !id.endsWith('rest')),
    )
  })

  test('a person is shown all where nothing is held back, and nothing of a session that was deleted', async () => {
    const { store, named } = await flooded()
    const plain = [named('a first'), named('a rest')]
    expect(await withoutHeldBack(store, PERSON, plain)).toEqual(plain)
    const lost = anApproval({ id: 'lost', sessionId: 'gone', held: true })
    expect(await withoutHeldBack(store, PERSON, [lost])).toEqual([])
  })

  test('each session is looked up once, and only where something of it is held back', async () => {
    const { store, open, named } = await flooded()
    const looked: string[] = []
    const sessions = { ...store.sessions, get: (id: string) => (looked.push(id), store.sessions.get(id)) }
    const counting = { ...store, sessions }
    await withoutHeldBack(counting, PERSON, [named('a first'), named('b rest')])
    expect(looked).toEqual([])
    await withoutHeldBack(counting, PERSON, [...open, named('a first')])
    expect(looked).toEqual(['a', 'b'])
  })
})

test('the question that stands for others says how many of its own session', async () => {
  const { store, named } = await flooded()
  const counts = await heldCounts(store, [named('a first'), named('a rest'), named('b held')])
  expect([...counts]).toEqual([['a rest', 2]])
})

describe('to an answer', () => {
  const HELD = { code: 'invalid_input', message: expect.stringContaining('held back') as string }

  test('of a person nothing is open that is held back, but to a no; it could be a yes to what was not seen', async () => {
    const { answer } = await flooded()
    await expect(answer(PERSON, 'a held')).rejects.toMatchObject(HELD)
    await expect(answer(PERSON, 'a held', {})).rejects.toMatchObject(HELD)
    await expect(answer(PERSON, 'a held', { answers: ['allow'] })).rejects.toMatchObject(HELD)
    await expect(answer(PERSON, 'a held', { approve: false, answers: ['x'] })).rejects.toMatchObject(HELD)
    await answer(PERSON, 'a held', { approve: false })
    await answer(PERSON, 'a first')
  })

  test('of a person that one is open which is shown', async () => {
    const { answer } = await flooded()
    await answer(PERSON, 'b held')
    await expect(answer(PERSON, 'b held too')).rejects.toMatchObject(HELD)
  })

  test.each(OTHERS)('of %s all of it is open', async (_, caller) => {
    const { answer } = await flooded()
    for (const id of ['a held', 'a held too', 'b held', 'b held too'])
      await expect(answer(caller, id)).resolves.toBeUndefined()
  })

  test('of a model the question is not that stands for others', async () => {
    const { answer } = await flooded()
    const no = { approve: false }
    for (const via of ['form', 'rpc'] as const) {
      await expect(answer(at(via, false), 'a rest', no)).rejects.toMatchObject({ code: 'forbidden' })
      await answer(at(via), 'a rest', no)
    }
  })
})
