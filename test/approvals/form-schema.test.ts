import { describe, expect, test } from 'vitest'
import { FormSchema } from '../../src/approvals/form-schema.ts'

const formOf = (field: unknown) => ({ type: 'object', properties: { a: field } })
const field = (value: unknown) => FormSchema.safeParse(formOf(value)).data?.properties['a']

describe('a field of a form', () => {
  test.each([
    { type: 'boolean', title: 'A', description: 'b', default: true },
    { type: 'string', title: 'A', minLength: 1, maxLength: 9, format: 'date', default: 'x' },
    ...['email', 'uri', 'date', 'date-time'].map((format) => ({ type: 'string', format })),
    { type: 'string', enum: ['x', 'y'], enumNames: ['X', 'Y'], default: 'x' },
    { type: 'string', oneOf: [{ const: 'x', title: 'X' }], default: 'x' },
    { type: 'number', minimum: 1, maximum: 9, default: 2 },
    { type: 'integer', title: 'A', minimum: 1 },
    { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['x'] }, default: ['x'] },
    {
      type: 'array',
      title: 'A',
      minItems: 1,
      items: { anyOf: [{ const: 'x', title: 'X' }] },
      default: ['x'],
    },
  ])('such as %j is kept as it is', (value) => {
    expect(field(value)).toEqual(value)
  })

  test.each([
    { type: 'object', properties: {} },
    { type: 'array', items: { type: 'number' } },
    { type: 'array', items: { type: 'object' } },
    { type: 'array' },
    { type: 'string', format: 'regex' },
    { type: 'string', enum: [1] },
    { type: 'string', enum: ['a\u202eb'] },
    { type: 'string', default: 'a\u0007' },
    { type: 'array', items: { type: 'string', enum: ['x'] }, default: ['\u200b'] },
    { type: 'string', oneOf: [{ const: 'x' }] },
    { type: 'array', items: { anyOf: [{ title: 'X' }] } },
    { type: 'number', minimum: 'one' },
    { type: 'null' },
    {},
  ])('is not %j', (value) => {
    expect(FormSchema.safeParse(formOf(value)).success).toBe(false)
  })

  test('says nothing that cannot be seen, and brings no pattern', () => {
    expect(field({ type: 'string', title: 'a\u202eb', pattern: '(a+)+' })).toEqual({
      type: 'string',
      title: expect.not.stringContaining('\u202e') as string,
    })
    const named = field({ type: 'string', oneOf: [{ const: 'x', title: '\u200b' }] })
    expect(JSON.stringify(named)).not.toContain('\u200b')
  })
})

test('a form is an object of fields with names that can be seen', () => {
  const string = { type: 'string' }
  const form = { ...formOf(string), required: ['a'] }
  expect(FormSchema.parse(form)).toEqual(form)
  expect(FormSchema.safeParse({ ...form, type: 'array' }).success).toBe(false)
  expect(FormSchema.safeParse({ type: 'object' }).success).toBe(false)
  expect(FormSchema.safeParse({ type: 'object', properties: { 'a\u200b': string } }).success).toBe(false)
})
