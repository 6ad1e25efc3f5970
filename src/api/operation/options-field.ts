import { z } from 'zod'
import { strictFields } from '../../base/input-fields.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { listedSchema } from './listed-schema.ts'

interface Places {
  /** The fields that are listed beside `options`; all others are listed in it. */
  readonly beside: readonly string[]
  /** Other names of these fields: accepted there, and not listed. */
  readonly otherNames?: readonly string[]
}

/** The name of the resource that describes each option in full. */
export const OPTIONS_URI = 'plexus://start-options'

/**
 * Puts the rare fields into one object, `options`, so that models read few fields and clients list a small schema. `listed` is
 * the schema that clients see; `input` also accepts an option beside `options` (until 0.4), and names it in `moved`.
 */
export function withOptions<Shape extends z.ZodRawShape>(shape: Shape, { beside, otherNames = [] }: Places) {
  const options = Object.keys(shape).filter((name) => !beside.includes(name) && !otherNames.includes(name))
  const strict = strictFields(shape)
  const listed = strictFields({
    ...Object.fromEntries(beside.flatMap((name) => (shape[name] ? [[name, shape[name]]] : []))),
    options: z.looseObject(numbersOf(shape, options)).optional().describe(describedOptions(shape, options)),
  })
  const names = { all: Object.keys(shape), listed: Object.keys(listed.shape), options }
  const input = z.unknown().transform((given, context) => {
    const no = ({ path, message }: Fault) => {
      context.issues.push({ code: 'custom', path: [...path], message, input: given })
      return z.NEVER
    }
    const { options: inside = {}, ...top } = isObject(given) ? given : {}
    const fault = isObject(given) ? misplaced(top, inside, names) : noObject(names)
    if (fault) return no(fault)
    const left = isObject(inside) ? definedFields(inside) : {}
    const parsed = strict.safeParse({ ...top, ...left })
    if (parsed.success)
      return { ...parsed.data, moved: Object.keys(top).filter((name) => options.includes(name)) }
    const [issue] = parsed.error.issues
    return no(issue ? faultOf(issue, left, names) : noObject(names))
  })
  return { listed, input }
}

interface Names {
  readonly all: readonly string[]
  readonly listed: readonly string[]
  readonly options: readonly string[]
}

interface Fault {
  readonly path: readonly string[]
  readonly message: string
}

function noObject({ listed }: Names): Fault {
  return { path: [], message: `The arguments must be an object with ${listed.join(', ')}.` }
}

/** The error for a field in the wrong place. */
function misplaced(top: object, inside: unknown, { all, listed, options }: Names): Fault | undefined {
  if (!isObject(inside)) return { path: ['options'], message: MUST_BE }
  const unknown = Object.keys(top).filter((name) => !all.includes(name))
  if (unknown.length > 0)
    return {
      path: [],
      message: `There is no field ${unknown.join(', ')} here; there are ${listed.join(', ')}.`,
    }
  const strange = Object.keys(inside).filter((name) => !all.includes(name))
  if (strange.length > 0)
    return { path: [], message: `There is no option ${strange.join(', ')}; ${theOptions(options)}` }
  const twice = Object.keys(inside).find((name) => Object.hasOwn(top, name))
  if (twice === undefined) return undefined
  return { path: [twice], message: `${twice} is given twice, in options and beside it; give it once.` }
}

/** The error for a field, with its path; for an option, also with the list of options. */
function faultOf(
  { path, message }: { path: readonly PropertyKey[]; message: string },
  inside: object,
  { options }: Names,
): Fault {
  const name = String(path[0] ?? '')
  if (!options.includes(name)) return { path: path.map(String), message }
  const place = Object.hasOwn(inside, name) ? `options.${name}` : name
  const sentence = message.startsWith(name) ? message.replace(name, place) : `${place}: ${message}`
  return {
    path: place.split('.'),
    message: `${sentence.replace(/\.?$/, '.')} ${theOptions(options, 'T')}`,
  }
}

/** The hint for a caller that gave options in their old place. */
export function movedHint(moved: readonly string[]): string | undefined {
  if (moved.length === 0) return undefined
  return `Give ${moved.join(', ')} in options: beside it ${moved.length > 1 ? 'they are' : 'it is'} taken until 0.4 only.`
}

const MUST_BE = 'options must be an object, such as { "maxTurns": 20 }.'

function theOptions(names: readonly string[], first: 't' | 'T' = 't'): string {
  return `${first}he options are ${names.join(', ')}; the resource ${OPTIONS_URI} describes each.`
}

/** The options that are numbers: Gemini accepts no object without named fields, and models often send a number as text. */
function numbersOf(shape: z.ZodRawShape, names: readonly string[]): z.ZodRawShape {
  const numbers = names.filter((name) => shape[name] && ['integer', 'number'].includes(typeOf(shape[name])))
  return Object.fromEntries(numbers.map((name) => [name, z.number().optional()]))
}

function typeOf(schema: z.core.$ZodType): string {
  return (schema instanceof z.ZodType && listedSchema(schema).type) || ''
}

/** One line for each option. */
function describedOptions(shape: z.ZodRawShape, names: readonly string[]): string {
  const lines = names.map((name) => `${name}: ${shape[name] ? oneLine(shape[name]) : ''}`)
  return [`More, seldom needed; in full in the resource ${OPTIONS_URI}.`, ...lines].join('\n')
}

function oneLine(schema: z.core.$ZodType): string {
  const { description = '' } = schema instanceof z.ZodType ? schema : {}
  const { enum: values } = schema instanceof z.ZodType ? listedSchema(schema) : {}
  return values ? `${description.replace(/\.$/, '')}: ${values.join(', ')}.` : description
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
