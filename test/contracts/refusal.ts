import { expect } from 'vitest'
import { AppError } from '../../src/base/errors.ts'

/** The error that the work ends with: a sentence of ours, or the test fails. */
export async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AppError)
  return error as AppError
}
