import { z } from 'zod'

/** What a verb or an operation may be given: nothing but these fields, and what is wrong is named. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape, what = 'The arguments') {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `There is no field ${issue.keys.join(', ')} here; there are ${Object.keys(shape).join(', ')}.`
        : `${what} must be an object with ${Object.keys(shape).join(', ')}.`,
  })
}

/** An id or a name. */
export function selector(field: string, description?: string) {
  const schema = z
    .string(`${field} must be text.`)
    .min(1, `${field} may not be empty.`)
    .max(200, `${field} may have at most 200 characters.`)
  return description === undefined ? schema : schema.describe(description)
}

export function whole(field: string, least: number, most = Number.MAX_SAFE_INTEGER, description?: string) {
  const sentence = `${field} must be a whole number from ${least} to ${most}.`
  const schema = z.int(sentence).min(least, sentence).max(most, sentence)
  return description === undefined ? schema : schema.describe(description)
}
