import { expect, test } from 'vitest'
import { AppError, ERROR_CODES, type ErrorCode } from '../../src/base/errors.ts'
import {
  errorPayload,
  exitCodeOf,
  httpErrorOf,
  isInternal,
  rpcErrorOf,
} from '../../src/transports/error-response.ts'

/** Programs depend on these numbers. */
const NUMBERS: [ErrorCode, number, number, number][] = [
  ['invalid_input', -32602, 400, 2],
  ['not_found', -32000, 404, 1],
  ['forbidden', -32000, 403, 1],
  ['already_settled', -32000, 409, 5],
  ['changed', -32000, 409, 5],
  ['would_deadlock', -32000, 409, 1],
  ['too_many_sessions', -32000, 429, 75],
  ['over_budget', -32000, 409, 1],
  ['in_use', -32000, 409, 1],
  ['cli_missing', -32000, 503, 1],
  ['cli_failed', -32000, 502, 1],
  ['storage_full', -32000, 507, 75],
  ['busy', -32000, 503, 75],
  ['internal', -32603, 500, 1],
]

test.each(NUMBERS)('%s is %d in JSON-RPC, %d in HTTP and exit code %d', (code, rpc, http, exit) => {
  const error = new AppError(code, 'What happened.')
  expect([rpcErrorOf(error).code, httpErrorOf(error).status, exitCodeOf(error)]).toEqual([rpc, http, exit])
  expect(rpcErrorOf(error).data).toEqual({ code })
  expect(httpErrorOf(error).body).toMatchObject({ error: { code } })
})

test('every code has its numbers', () => {
  expect(NUMBERS.map(([code]) => code)).toEqual(ERROR_CODES)
})

test('the caller reads the sentence of an expected error, and its data', () => {
  const error = new AppError('busy', 'Try later.', { data: { field: 'after' } })
  expect(isInternal(error)).toBe(false)
  expect(rpcErrorOf(error)).toEqual({
    code: -32000,
    message: 'Try later.',
    data: { field: 'after', code: 'busy' },
  })
  expect(httpErrorOf(error).body).toEqual({ error: { field: 'after', code: 'busy', message: 'Try later.' } })
})

test.each([
  ['an exception', new TypeError('secret')],
  ['an internal error', new AppError('internal', 'secret', { data: { secret: 1 } })],
  ['no error at all', 'secret'],
])('of %s the caller learns nothing', (_, error) => {
  expect(isInternal(error)).toBe(true)
  expect(exitCodeOf(error)).toBe(1)
  expect(httpErrorOf(error)).toEqual({
    status: 500,
    body: { error: { code: 'internal', message: 'internal error' } },
  })
  expect(rpcErrorOf(error)).toEqual({ code: -32603, message: 'internal error', data: { code: 'internal' } })
})

test('a limit of the system is no secret: the caller reads which limit to raise', () => {
  const error = Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  expect(isInternal(error)).toBe(true)
  expect(httpErrorOf(error)).toMatchObject({
    status: 503,
    body: { error: { code: 'busy', message: expect.stringContaining('ulimit -n') as unknown } },
  })
})

test('an operation makes its own result of an error, and the others have the plain error', () => {
  const error = new AppError('not_found', 'It is gone.', { data: { field: 'approval_id' } })
  expect(
    errorPayload(error, { failed: ({ data, ...rest }) => ({ type: 'error', ...rest, ...data }) }),
  ).toEqual({
    type: 'error',
    code: 'not_found',
    message: 'It is gone.',
    field: 'approval_id',
  })
  expect(errorPayload(error, {})).toEqual({ code: 'not_found', message: 'It is gone.', field: 'approval_id' })
})
