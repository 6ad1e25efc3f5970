/** A field of a flat form, as a child's MCP server asks for it. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly type: 'text' | 'number' | 'boolean' | 'choice'
  readonly options: readonly string[]
  readonly isRequired: boolean
  readonly initial: string
}

/** The fields of a schema; undefined if it is no flat form, and can only be declined here. */
export function fieldsOf(schema: unknown): readonly FormField[] | undefined {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return undefined
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const fields = Object.entries(schema['properties']).map(([name, property]) =>
    fieldOf(name, property, required.includes(name)),
  )
  return fields.every((field) => field !== undefined) ? fields : undefined
}

function fieldOf(name: string, property: unknown, isRequired: boolean): FormField | undefined {
  if (!isRecord(property)) return undefined
  const { title, description, default: initial } = property
  const options = Array.isArray(property['enum']) ? property['enum'].map(String) : []
  const type = typeOf(property['type'], options)
  return (
    type && {
      name,
      label: typeof title === 'string' ? title : name,
      description: typeof description === 'string' ? description : '',
      type,
      options,
      isRequired,
      initial: ['string', 'number', 'boolean'].includes(typeof initial) ? String(initial) : '',
    }
  )
}

function typeOf(type: unknown, options: readonly string[]): FormField['type'] | undefined {
  if (options.length > 0) return 'choice'
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'boolean' : undefined
}

/** What is sent: fields that were left empty are not. */
export function contentOf(
  fields: readonly FormField[],
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const entries = fields.flatMap(({ name, type }): [string, unknown][] => {
    const value = values[name] ?? ''
    if (type === 'boolean') return [[name, value === 'true']]
    if (value === '') return []
    return [[name, type === 'number' ? Number(value) : value]]
  })
  return Object.fromEntries(entries)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
