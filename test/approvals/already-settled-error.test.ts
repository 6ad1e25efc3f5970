import { expect, test } from 'vitest'
import { alreadySettledError } from '../../src/approvals/already-settled-error.ts'
import type { Approval } from '../../src/approvals/approval.ts'
import { anApproval } from '../contracts/rows.ts'

const error = (fields: Partial<Approval>) => alreadySettledError(anApproval(fields))

test('whoever is too late learns who was first, how and why, and not once more what was asked', () => {
  const denied = error({
    status: 'denied',
    by: 'ann',
    level: 'owner',
    via: 'tool',
    settledAt: 9,
    decision: { behavior: 'deny', message: 'not now' },
  })
  expect(denied).toMatchObject({
    code: 'already_settled',
    message: 'This question is denied by ann already; nothing was changed.',
  })
  expect(denied.data).toEqual({
    approval: {
      id: 'a1',
      status: 'denied',
      by: 'ann',
      level: 'owner',
      via: 'tool',
      message: 'not now',
      settledAt: 9,
    },
  })
})

test('where nobody decided, nobody is named', () => {
  const withdrawn = error({ status: 'withdrawn' })
  expect(withdrawn.message).toBe('This question is withdrawn already; nothing was changed.')
  expect(withdrawn.data).toEqual({ approval: { id: 'a1', status: 'withdrawn' } })
})

test('a yes has no reason, and a long reason is cut', () => {
  const allowed = error({
    status: 'allowed',
    decision: { behavior: 'allow', updatedInput: {}, message: 'go' },
  })
  expect(allowed.data?.['approval']).not.toHaveProperty('message')
  const reason = (message: string) =>
    error({ status: 'denied', decision: { behavior: 'deny', message } }).data?.['approval']
  expect(reason('x'.repeat(1_000))).toMatchObject({ message: 'x'.repeat(1_000) })
  expect(reason('x'.repeat(1_001))).toMatchObject({ message: `${'x'.repeat(1_000)} …` })
})
