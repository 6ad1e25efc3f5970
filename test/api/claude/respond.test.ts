import { expect, test } from 'vitest'
import { respond } from '../../../src/api/claude/respond.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'

const allow = { sessionId: CHILD, id: QUESTION, answers: ['allow'] }
const context = async (caller = CALLERS.operator) => ({
  engine: (await aFamily()).app.engine,
  call: { caller },
})

test('an answer without a wait returns at once, also while other questions are open', async () => {
  const answered = await respond.call(await context(), allow)
  expect(answered).toMatchObject({ id: QUESTION, decision: 'allowed', by: CALLERS.operator.name })
  expect(answered).not.toHaveProperty('recentOutput')
})

test('R31: a repeated call answers nothing: it reports the answer on record', async () => {
  const one = await context()
  // The long message of the first call may be missing in the repeated one, so a repeated call may not answer.
  await expect(respond.again(one, allow, CHILD)).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('answer again') as unknown,
  })
  await respond.call(one, { ...allow, answers: ['deny'], message: 'Not today.' })
  expect(await respond.again(one, allow, CHILD)).toMatchObject({ id: QUESTION, decision: 'denied' })
})

test('a repeated call of a caller whose question another caller answered says so', async () => {
  const one = await context()
  await respond.call(one, allow)
  const other = { ...one, call: { caller: { ...CALLERS.operator, name: 'another' } } }
  await expect(respond.again(other, allow, CHILD)).rejects.toMatchObject({ code: 'already_settled' })
})
