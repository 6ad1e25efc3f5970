import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { type ListedSchema, listedSchema } from '../../src/api/operation/listed-schema.ts'
import { toolNameOf } from '../../src/api/operation/operation.ts'
import { OPERATIONS, operationsFor } from '../../src/api/operations.ts'
import { MODEL } from '../rig/clients/mcp-pair.ts'
import { CODEX_KEEPS, IN_BOTH } from './schema-subsets.ts'

const tools = OPERATIONS.map((operation) => ({
  name: toolNameOf(operation),
  description: operation.description,
  inputSchema: listedSchema(operation.listed),
}))

/** Every schema in a schema, with it. */
function parts(schema: ListedSchema): ListedSchema[] {
  const { properties = {}, items, anyOf = [] } = schema
  return [schema, ...[...Object.values(properties), ...(items ? [items] : []), ...anyOf].flatMap(parts)]
}

const isObject = ({ type }: ListedSchema) => type === 'object'
const isOpen = (schema: ListedSchema) => isObject(schema) && schema.additionalProperties !== false
const OPEN = ['claude_start', 'claude_respond', 'claudecode_create', 'loopback_respond', 'loopback_configure']

describe.each(tools)('$name', ({ name, inputSchema }) => {
  test('takes no keyword that OpenAI or Gemini do not know', () => {
    const keywords = new Set(parts(inputSchema).flatMap((part) => Object.keys(part)))
    expect([...keywords].filter((keyword) => !IN_BOTH.has(keyword))).toEqual([])
    for (const never of ['$ref', 'oneOf', 'const', 'propertyNames', 'format', 'default'])
      expect(keywords).not.toContain(never)
  })

  test('has one type in each part, and a field in each object', () => {
    for (const part of parts(inputSchema)) expect(typeof part.type).toBe(part.anyOf ? 'undefined' : 'string')
    for (const { properties = {} } of parts(inputSchema).filter(isObject))
      expect(Object.keys(properties).length).toBeGreaterThan(0)
  })

  test('becomes strict by the rule of OpenAI, unless it has an open object', () => {
    expect(parts(inputSchema).some(isOpen)).toBe(OPEN.includes(name))
    if (OPEN.includes(name)) return
    for (const part of parts(strict(inputSchema)).filter(isObject))
      expect(part).toMatchObject({
        required: Object.keys(part.properties ?? {}),
        additionalProperties: false,
      })
  })

  test('is small enough for Codex to keep its descriptions', () => {
    expect(Buffer.byteLength(JSON.stringify(inputSchema))).toBeLessThanOrEqual(CODEX_KEEPS)
  })
})

const orNull = (one: ListedSchema): ListedSchema => ({ anyOf: [one, { type: 'null' }] })

/** Every field required, and null in place of those that may be left out. */
function strict(schema: ListedSchema): ListedSchema {
  const { properties, items, anyOf, required = [] } = schema
  return {
    ...schema,
    ...(items ? { items: strict(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(strict) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [
              name,
              required.includes(name) ? strict(one) : orNull(strict(one)),
            ]),
          ),
          required: Object.keys(properties),
        }
      : {}),
  }
}

test('the six tools take at most 10,000 characters', () => {
  const six = operationsFor(MODEL, 'claude').map(toolNameOf)
  const text = JSON.stringify(tools.filter(({ name }) => six.includes(name)))
  expect(six).toHaveLength(6)
  expect(text.length).toBeLessThanOrEqual(10_000)
  expect(countTokens(text)).toBeLessThanOrEqual(2_500)
})
