import { z } from 'zod'

/** The part of JSON Schema that we list. */
export interface ListedSchema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, ListedSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: ListedSchema
  readonly anyOf?: readonly ListedSchema[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
}

/**
 * The input schema of an operation as clients see it, in the keywords that all model APIs accept. Operations validate their
 * input themselves, so limits that only some APIs know (lengths, patterns, defaults) are omitted.
 */
export function listedSchema(schema: z.ZodType): ListedSchema {
  const listed =
    cache.get(schema) ??
    plain(z.toJSONSchema(schema, { io: 'input', target: 'draft-7', unrepresentable: 'any' }))
  cache.set(schema, listed)
  return listed
}

/** An object with any fields. One field is named, because Gemini accepts no object without named fields. */
export function openObject(example: string, description: string) {
  return z
    .looseObject({ [example]: z.string().optional() })
    .optional()
    .describe(description)
}

/** A cache: a schema costs more to make than to send. */
const cache = new WeakMap<z.ZodType, ListedSchema>()

const Json = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
})

function plain(schema: unknown): ListedSchema {
  const json = Json.parse(schema)
  const { type, description, properties, required, items, minimum, maximum } = json
  const choices = Array.isArray(type) ? type.map((name) => ({ type: name })) : (json.anyOf ?? json.oneOf)
  const values = json.const === undefined ? json.enum : [json.const]
  return {
    ...(typeof type === 'string' ? { type } : {}),
    ...(description === undefined ? {} : { description }),
    ...(values ? { enum: values } : {}),
    ...(choices ? { anyOf: choices.map(plain) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, field]) => [name, plain(field)]),
          ),
        }
      : {}),
    ...(required ? { required } : {}),
    // An object is open by default.
    ...(json.additionalProperties === false ? { additionalProperties: false } : {}),
    ...(items === undefined ? {} : { items: plain(items) }),
    ...(isLimit(minimum) ? { minimum } : {}),
    ...(isLimit(maximum) ? { maximum } : {}),
  }
}

function isLimit(value: number | undefined): value is number {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

/**
 * Removes the nulls that stand for omitted fields: strict function calling sends every field. A null in an open object is kept,
 * and so is a null in a required field, to be refused.
 */
export function withoutNulls(schema: ListedSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = choiceFor(schema, 'array')
    return items ? value.map((item: unknown) => withoutNulls(items, item)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const { properties = {}, required = [], additionalProperties } = choiceFor(schema, 'object')
  if (additionalProperties !== false) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => field !== null || required.includes(name))
      .map(([name, field]: [string, unknown]) => [name, withoutNulls(properties[name] ?? {}, field)]),
  )
}

function choiceFor(schema: ListedSchema, type: string): ListedSchema {
  return schema.anyOf?.find((choice) => choice.type === type) ?? schema
}
