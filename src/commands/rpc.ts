import { z } from 'zod'
import { OPERATIONS } from '../api/operations.ts'
import { AppError } from '../base/errors.ts'
import type { CommandCall } from '../command-line/command.ts'
import { type FieldSchema, flagList, paramsFromFlags, type ParamsSchema } from './params-from-flags.ts'
import { visibleJson } from '../text/visible-json.ts'
import { isVerb, VERBS } from '../engine/verbs.ts'

/** Calls a method of `/rpc` by its name; its flags are made from its schema. Prints the result as JSON. */
export async function run({ args: [method, ...flags], out, hub }: CommandCall): Promise<void> {
  if (method === undefined || method.startsWith('-')) {
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
  out.line(visibleJson(await call(method, paramsFromFlags(schema, flags))))
}

/** The operations of both families, and the verbs. */
function methods(): string[] {
  return [...OPERATIONS.map(({ name }) => name), ...Object.keys(VERBS)]
}

function schemaOf(method: string): ParamsSchema {
  const input =
    OPERATIONS.find(({ name }) => name === method)?.listed ?? (isVerb(method) && VERBS[method].input)
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
