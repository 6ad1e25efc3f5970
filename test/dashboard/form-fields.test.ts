import { expect, test } from 'vitest'
import { contentOf, fieldsOf } from '../../dashboard/src/forms/form-fields.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', description: 'In full', default: 'Ann' },
    age: { type: 'integer' },
    fast: { type: 'boolean' },
    color: { type: 'string', enum: ['red', 'blue'] },
  },
  required: ['name'],
}

test('the fields of a flat form, and what is sent of them', () => {
  const fields = fieldsOf(SCHEMA) ?? []
  expect(fields).toMatchObject([
    { name: 'name', label: 'Your name', type: 'text', isRequired: true, initial: 'Ann' },
    { name: 'age', type: 'number', isRequired: false },
    { name: 'fast', type: 'boolean' },
    { name: 'color', type: 'choice', options: ['red', 'blue'] },
  ])
  expect(contentOf(fields, { name: 'Ben', age: '7', fast: 'true', color: '' })).toEqual({
    name: 'Ben',
    age: 7,
    fast: true,
  })
})

test.each([undefined, 'x', {}, { properties: { a: { type: 'object' } } }, { properties: { a: 1 } }])(
  'what is no flat form has no fields: %j',
  (schema) => {
    expect(fieldsOf(schema)).toBeUndefined()
  },
)
