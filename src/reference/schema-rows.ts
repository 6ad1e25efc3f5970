import { z } from 'zod'

/** One line of a table of fields. */
export interface FieldRow {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly meaning: string | undefined
}

/** As much of JSON Schema as the page shows. */
interface Shown {
  readonly type?: string | readonly string[] | undefined
  readonly description?: string | undefined
  readonly properties?: Readonly<Record<string, Shown>> | undefined
  readonly required?: readonly string[] | undefined
  readonly items?: Shown | undefined
  readonly anyOf?: readonly Shown[] | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly const?: unknown
}

const Shown: z.ZodType<Shown> = z.lazy(() =>
  z.looseObject({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    properties: z.record(z.string(), Shown).optional(),
    required: z.array(z.string()).optional(),
    items: Shown.optional(),
    anyOf: z.array(Shown).optional(),
    enum: z.array(z.unknown()).optional(),
  }),
)

/** Fields whose objects have a section of their own, with a link to it. */
type Links = Readonly<Record<string, string>>

/** The fields of an object schema, and those of objects directly inside it, as `outer.inner` or `list[].inner`. */
export function schemaRows(schema: z.ZodType, io: 'input' | 'output', links: Links = {}): FieldRow[] {
  return rowsOf(Shown.parse(z.toJSONSchema(schema, { io, unrepresentable: 'any' })), links, '')
}

function rowsOf({ properties = {}, required = [] }: Shown, links: Links, prefix: string): FieldRow[] {
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = `${prefix}${key}`
    const link = (field.items ?? field).type === 'object' ? links[key] : undefined
    const type = link === undefined ? typeOf(field) : `${field.items ? 'list of ' : ''}${link}`
    const row = { name, type, required: required.includes(key), meaning: field.description }
    if (link !== undefined || prefix !== '') return [row]
    return [
      row,
      ...(field.items ? rowsOf(field.items, links, `${name}[].`) : rowsOf(field, links, `${name}.`)),
    ]
  })
}

function typeOf({ type, items, anyOf, enum: values, ...rest }: Shown): string {
  if (rest.const !== undefined) return JSON.stringify(rest.const)
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ')
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (type === 'array') return `list of ${items ? plural(typeOf(items)) : 'values'}`
  return typeof type === 'string' ? type : (type?.join(' or ') ?? 'any value')
}

function plural(type: string): string {
  return /^[a-z]+$/.test(type) ? `${type}s` : type
}
