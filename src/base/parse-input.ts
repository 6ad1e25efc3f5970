import type { z } from 'zod'
import { AppError } from './errors.ts'

/** Validates input of a caller; throws `invalid_input` with a sentence that names the field. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') ?? ''
  const message = issue?.message ?? 'is not valid'
  const sentence = field !== '' && !message.includes(field) ? `${field}: ${message}` : message
  throw new AppError('invalid_input', sentence.endsWith('.') ? sentence : `${sentence}.`, { data: { field } })
}
