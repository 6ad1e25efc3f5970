import { z } from 'zod'

/**
 * Text of a caller that becomes part of an argument. `--flag=value` alone keeps it a value. That it may not begin with a
 * dash either is the second lock, in case the text is one day passed in another form.
 */
export function argumentText(field: string) {
  return z
    .string({ error: `${field} must be text.` })
    .min(1, `${field} may not be empty; leave it out instead.`)
    .refine((text) => !text.startsWith('-'), `${field} may not begin with "-"; choose another value.`)
    .refine((text) => !/\p{Cc}/u.test(text), `${field} may not contain control characters; remove them.`)
}

export function argumentTexts(field: string) {
  return z.array(argumentText(field), { error: `${field} must be a list of texts.` })
}

/** Text that is used only after `--flag=` or inside JSON: any character but NUL, which ends an argument. */
export function freeText(field: string) {
  return z
    .string({ error: `${field} must be text.` })
    .refine((text) => !text.includes('\0'), `${field} may not contain a NUL character; remove it.`)
}

/** An object by name. Zod reports only "Invalid key" for a refused key, so the reason is taken from the inner issue. */
export function recordOf<Key extends z.ZodType<string>, Value extends z.ZodType>(
  field: string,
  key: Key,
  value: Value,
) {
  return z.record(key, value, {
    error: (issue) =>
      issue.code === 'invalid_key' ? issue.issues[0]?.message : `${field} must be an object.`,
  })
}
