import { z } from 'zod'

/** As much of JSON Schema as clients are shown. */
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
 * What a client is shown of what an operation takes, in the keywords that all model APIs take. Operations check what they
 * are given by themselves, so limits that only some APIs know (lengths, patterns, defaults) need not stand here.
 */
export function listedSchema(schema: z.ZodType): ListedSchema {
  const listed =
    made.get(schema) ??
    plain(z.toJSONSchema(schema, { io: 'input', target: 'draft-7', unrepresentable: 'any' }))
  made.set(schema, listed)
  return listed
}

/** An object whose fields are the caller's own. One of them is named, because Gemini takes no object without any. */
export function openObject(example: string, description: string) {
  return z
    .looseObject({ [example]: z.string().optional() })
    .optional()
    .describe(description)
}

/** A schema costs more to make than to send. */
const made = new WeakMap<z.ZodType, ListedSchema>()

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
  const choices = Array.isArray(type) ? type.map((one) => ({ type: one })) : (json.anyOf ?? json.oneOf)
  const values = json.const === undefined ? json.enum : [json.const]
  return {
    ...(typeof type === 'string' ? { type } : {}),
    ...(description === undefined ? {} : { description }),
    ...(values ? { enum: values } : {}),
    ...(choices ? { anyOf: choices.map(plain) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, plain(one)])),
        }
      : {}),
    ...(required ? { required } : {}),
    // What may have any other field is open by itself.
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
 * The same without the nulls that stand for what was left out: strict function calling sends every field. A null in an
 * open object is the caller's own, and one where something must be given stays, to be refused.
 */
export function withoutNulls(schema: ListedSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = choiceFor(schema, 'array')
    return items ? value.map((one: unknown) => withoutNulls(items, one)) : value
  }
  if (typeof value !== 'object' || value === null) return value
  const { properties = {}, required = [], additionalProperties } = choiceFor(schema, 'object')
  if (additionalProperties !== false) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => one !== null || required.includes(name))
      .map(([name, one]: [string, unknown]) => [name, withoutNulls(properties[name] ?? {}, one)]),
  )
}

function choiceFor(schema: ListedSchema, type: string): ListedSchema {
  return schema.anyOf?.find((one) => one.type === type) ?? schema
}
