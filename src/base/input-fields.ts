import { z } from 'zod'

/** Schema of the input of a verb or an operation. Other fields are rejected, and the error names the wrong field. */
export function strictFields<Shape extends z.ZodRawShape>(shape: Shape, subject = 'The arguments') {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `There is no field ${issue.keys.join(', ')} here; there are ${Object.keys(shape).join(', ')}.`
        : `${subject} must be an object with ${Object.keys(shape).join(', ')}.`,
  })
}

/** Schema of an id or a name of a session. */
export function selector(field: string, description?: string) {
  const schema = z
    .string(`${field} must be text.`)
    .min(1, `${field} may not be empty.`)
    .max(200, `${field} may have at most 200 characters.`)
  return description === undefined ? schema : schema.describe(description)
}

export function wholeNumber(field: string, min: number, max = Number.MAX_SAFE_INTEGER, description?: string) {
  const message = `${field} must be a whole number from ${min} to ${max}.`
  const schema = z.int(message).min(min, message).max(max, message)
  return description === undefined ? schema : schema.describe(description)
}
