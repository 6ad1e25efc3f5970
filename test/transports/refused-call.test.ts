import { expect, test } from 'vitest'
import { AppError, ERROR_CODES } from '../../src/base/errors.ts'
import { isRefusal } from '../../src/transports/refused-call.ts'
import { CALLERS } from '../rig/clients/family.ts'

const refusals = (caller: (typeof CALLERS)[keyof typeof CALLERS]) =>
  ERROR_CODES.filter((code) => isRefusal(new AppError(code, 'No.'), caller))

test('a caller was refused where the error says forbidden', () => {
  expect(refusals(CALLERS.operator)).toEqual(['forbidden'])
  expect(refusals(CALLERS.stranger)).toEqual(['forbidden'])
})

test('a child that asks for what it cannot see was refused too', () => {
  expect(refusals(CALLERS.itself)).toEqual(['not_found', 'forbidden'])
})

test('an exception is no refusal, whatever code it has', () => {
  expect(isRefusal(Object.assign(new Error('No.'), { code: 'forbidden' }), CALLERS.itself)).toBe(false)
})
