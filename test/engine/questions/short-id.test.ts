import { describe, expect, test } from 'vitest'
import { partsOfShortId, shortIdOf } from '../../../src/approvals/short-id.ts'
import { anApproval, aStep } from '../../contracts/rows.ts'
import { aFamily, CALLERS, CHILD } from '../../rig/clients/family.ts'
import { asSessionId } from '../../rig/tools/ids.ts'

const ID = '1f3a5b7c-0000-4000-8000-000000000001'

test('it is the name of the session, or the first 8 characters of its id, and the number of the question', () => {
  expect(shortIdOf({ number: 3 }, { id: asSessionId(ID), name: 'web' })).toBe('web.3')
  expect(shortIdOf({ number: 12 }, { id: asSessionId(ID) })).toBe('1f3a5b7c.12')
  expect(shortIdOf({}, { id: asSessionId(ID), name: 'web' })).toBeUndefined()
})

test.each([
  ['web.3', { session: 'web', number: 3 }],
  ['a.b.12', { session: 'a.b', number: 12 }],
  ['web.0', undefined],
  ['web.03', undefined],
  ['web.', undefined],
  ['.3', undefined],
  ['web', undefined],
  [ID, undefined],
])('%s is %o', (text, parts) => {
  expect(partsOfShortId(text)).toEqual(parts)
})

async function numbered() {
  const family = await aFamily()
  await family.store.sessions.rename(CHILD, 'web')
  await family.store.journal.append(
    aStep(2, { sessionId: CHILD, opened: [anApproval({ id: 'second', sessionId: CHILD, number: 2 })] }),
  )
  return family
}

describe('a question by its short id', () => {
  test('is shown and answered, also by the beginning of the id of its session', async () => {
    const { app } = await numbered()
    const context = { caller: CALLERS.operator }
    const pending = await app.engine.pending(context, { sessionId: 'web' })
    expect(pending.map(({ shortId }) => shortId)).toEqual([undefined, 'web.2'])
    expect(await app.engine.getApproval(context, { approvalId: `${CHILD}.2` })).toMatchObject({
      id: 'second',
    })
    expect(await app.engine.answer(context, { approvalId: 'web.2', approve: true })).toMatchObject({
      id: 'second',
      status: 'allowed',
    })
  })

  test('does not exist for a caller who may not see the session, nor under another session', async () => {
    const { app, store } = await numbered()
    const answer = (caller: (typeof CALLERS)['operator' | 'stranger' | 'itself'], more: object = {}) =>
      app.engine.answer({ caller }, { approvalId: 'web.2', approve: true, ...more })
    await expect(answer(CALLERS.stranger)).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no question web.2; list the pending ones.',
    })
    await expect(answer(CALLERS.itself)).rejects.toMatchObject({ code: 'forbidden' })
    const parent = '00000000-0000-4000-8000-000000000002'
    await expect(answer(CALLERS.operator, { sessionId: parent })).rejects.toMatchObject({ code: 'not_found' })
    expect(await store.approvals.get('second')).toMatchObject({ status: 'pending' })
  })
})
