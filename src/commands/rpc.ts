import { z } from 'zod'
import { OPERATIONS } from '../api/operations.ts'
import { AppError } from '../base/errors.ts'
import type { CommandCall } from '../command-line/command.ts'
import { type FieldSchema, flagList, paramsFromFlags, type ParamsSchema } from './params-from-flags.ts'
import { visibleJson } from '../text/visible-json.ts'
import { isVerb, VERB_INPUTS } from '../engine/verbs.ts'

/** Calls a method of `/rpc` by its name; its flags are made from its schema. Prints the result as JSON. */
export async function run({ args, out, hub }: CommandCall): Promise<void> {
  const isJson = args.includes('--json')
  const [method, ...flags] = args.filter((word) => word !== '--json')
  if (method === undefined || method.startsWith('-')) {
    if (isJson) return out.json({ methods: methods() })
    for (const name of methods()) out.line(name)
    return
  }
  const schema = schemaOf(method)
  if (flags.includes('--help') || flags.includes('-h')) {
    out.line(`plexus rpc ${method}`)
    for (const line of flagList(schema)) out.line(line)
    return
  }
  const { call } = await hub('changes')
  const result = await call(method, paramsFromFlags(schema, flags))
  // It is JSON in any case; with the flag it has the version of its form, as everywhere.
  if (isJson) return out.json(isRecord(result) ? result : { result })
  out.line(visibleJson(result))
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The operations of both families, and the verbs. */
function methods(): string[] {
  return [...OPERATIONS.map(({ name }) => name), ...Object.keys(VERB_INPUTS)]
}

function schemaOf(method: string): ParamsSchema {
  const input =
    OPERATIONS.find(({ name }) => name === method)?.listed ?? (isVerb(method) && VERB_INPUTS[method])
  if (!input) throw new AppError('invalid_input', `There is no method ${method}; plexus rpc lists them.`)
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        typeof schema === 'object' ? fieldOf(schema) : {},
      ]),
    ),
  }
}

type JsonSchema = Exclude<z.core.JSONSchema._JSONSchema, boolean>

function fieldOf({ type, description, items }: JsonSchema): FieldSchema {
  const isList = typeof items === 'object' && !Array.isArray(items)
  return { type, description, ...(isList ? { items: { type: items.type } } : {}) }
}
