import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/base/errors.ts'
import { takeAnswer } from '../../../src/transports/person/form-answer.ts'
import { isQuick } from '../../../src/transports/person/form-place.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { ALLOW } from '../../rig/clients/people.ts'
import { aPlace, aQuestion, QuestionEngine } from '../../rig/clients/question-engine.ts'

const [READ_IT, NOT_READ] = [1_001, 1_000]

async function fill(
  filled: unknown,
  { tookMs = READ_IT, refusal }: { tookMs?: number; refusal?: unknown } = {},
) {
  const asking = new QuestionEngine(aQuestion())
  asking.refusal = refusal
  const place = aPlace()
  const taken = await takeAnswer(asking.engine, place, { asked: aQuestion(), filled, tookMs })
  return { taken, place, answered: asking.answered }
}

test('an answer within a second is too quick for a person, and so is one before the question', () => {
  expect([READ_IT, NOT_READ, 0, -5].map(isQuick)).toEqual([false, true, true, true])
})

test.each([
  ['nothing', undefined],
  ['no form', 'accept'],
  ['an action that there is not', { ...ALLOW, action: 'perhaps' }],
  ['a decision that there is not', { action: 'accept', content: { decision: 'perhaps' } }],
  ['no decision', { action: 'accept' }],
])('%s is no answer, and the caller reads that the question still waits', async (_, filled) => {
  const { taken, answered } = await fill(filled)
  expect(taken).toEqual({ counts: false, note: expect.stringContaining('does not fit') as unknown })
  expect(answered).toEqual([])
})

test('a cancelled form is no answer, and there is nothing to say of it', async () => {
  const { taken, place, answered } = await fill({ action: 'cancel', content: ALLOW.content })
  expect(taken).toEqual({ counts: false })
  expect([answered, place.isOpen]).toEqual([[], true])
})

test('a decline within a second ends the forms of this client', async () => {
  const { taken, place, answered } = await fill({ action: 'decline' }, { tookMs: NOT_READ })
  expect(taken).toEqual({ counts: false, note: expect.stringContaining('no person has read it') as unknown })
  expect([answered, place.isOpen]).toEqual([[], false])
})

test.each([
  [ALLOW, READ_IT, { answers: ['allow'] }, 'a person at test (owner)', true],
  [ALLOW, NOT_READ, { answers: ['allow'] }, 'form at test, no person known (owner)', false],
  [{ action: 'decline' }, READ_IT, { approve: false }, 'a person at test (owner)', true],
])('%j after %d ms is an answer: %j by %s', async (filled, tookMs, answer, name, person) => {
  const { taken, place, answered } = await fill(filled, { tookMs })
  expect(taken).toEqual({ counts: true })
  expect(answered).toMatchObject([
    {
      caller: { id: CALLERS.owner.id, name, person, via: 'form' },
      input: { approvalId: 'q1', sessionId: 's1', inputSha256: 'ab', ...answer },
    },
  ])
  expect(place.isOpen).toBe(true)
})

describe('an answer that is refused', () => {
  const refusal = new AppError('already_settled', 'It is settled.')

  test.each([
    [READ_IT, "The person's answer had no effect: It is settled."],
    [NOT_READ, expect.stringMatching(/within a second.*no effect: It is settled\.$/) as unknown],
  ])('after %d ms counts for nothing, and the caller reads why', async (tookMs, note) => {
    expect((await fill(ALLOW, { tookMs, refusal })).taken).toEqual({ counts: false, note })
  })

  test('by a bug is an error', async () => {
    await expect(fill(ALLOW, { refusal: new TypeError('bug') })).rejects.toThrow('bug')
  })
})
