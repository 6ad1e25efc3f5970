import { parseArgs } from 'node:util'
import { AppError } from '../base/errors.ts'

/** As much of a JSON Schema as flags need. */
export interface ParamsSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>> | undefined
}

export interface FieldSchema {
  readonly type?: unknown
  readonly description?: unknown
  readonly items?: { readonly type?: unknown } | undefined
}

/** The input of a method from flags that are named after its fields: `--session-id x` is `session_id` or `sessionId`. */
export function paramsFromFlags(
  { properties = {} }: ParamsSchema,
  given: readonly string[],
): Record<string, unknown> {
  const fields = new Map(Object.entries(properties).map(([name, schema]) => [flagOf(name), { name, schema }]))
  const options = Object.fromEntries(
    [...fields].map(([flag, { schema }]) => [
      flag,
      { type: schema.type === 'boolean' ? 'boolean' : 'string', multiple: isTextList(schema) } as const,
    ]),
  )
  const { values } = parsed(options, given)
  return Object.fromEntries(
    Object.entries(values).map(([flag, value]) => {
      const { name = flag, schema = {} } = fields.get(flag) ?? {}
      return [name, typeof value === 'string' ? valueOf(flag, schema, value) : value]
    }),
  )
}

/** The flags of a method, a line each. */
export function flagList({ properties = {} }: ParamsSchema): string[] {
  return Object.entries(properties).map(([name, { description }]) =>
    `  --${flagOf(name)}  ${typeof description === 'string' ? description : ''}`.trimEnd(),
  )
}

/** `sessionId` and `session_id` are both `session-id`. */
function flagOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

function isTextList({ type, items }: FieldSchema): boolean {
  return type === 'array' && items?.type === 'string'
}

/** A text as it is; anything else is JSON. */
function valueOf(flag: string, { type }: FieldSchema, text: string): unknown {
  if (type === 'string') return text
  try {
    return JSON.parse(text)
  } catch (error) {
    if (type === undefined) return text
    throw new AppError('invalid_input', `--${flag} must be JSON, such as 5, true or {"a": 1}.`, {
      cause: error,
    })
  }
}

function parsed(options: NonNullable<Parameters<typeof parseArgs>[0]>['options'], given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options, allowPositionals: false })
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : '').split(/\.\s|\n/)
    throw new AppError('invalid_input', `${sentence.replace(/\.$/, '')}; see plexus rpc METHOD --help.`, {
      cause: error,
    })
  }
}
