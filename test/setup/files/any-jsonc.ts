/** Texts of settings as people and programs write them: any values, any layout, comments, trailing commas, line ends. */
import * as fc from 'fast-check'

const NAMES = ['a', 'b c', '__proto__', 'constructor', '//', '/*', '"', 'ünï', 'mcpServers', 'permissions']

export interface Style {
  readonly newline: '\n' | '\r\n'
  readonly unit: string
  readonly comments: readonly string[]
  readonly trailingComma: boolean
  /** Objects with an odd depth are in one line. */
  readonly mixed: boolean
  readonly end: string
}

const style: fc.Arbitrary<Style> = fc.record({
  newline: fc.constantFrom('\n', '\r\n'),
  unit: fc.constantFrom('  ', '    ', '\t', ''),
  comments: fc.array(fc.constantFrom('// one { " ,', '/* two } */', '/* three\n lines */'), { maxLength: 3 }),
  trailingComma: fc.boolean(),
  mixed: fc.boolean(),
  end: fc.constantFrom('', '\n', '\r\n', ' \n\n'),
})

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, -1.5e3, '', 'a "quoted" \\ text // no comment', '\u2028'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3 }),
  ),
})).value

/** An object with this container in it, or without it. */
export const settings = (container: fc.Arbitrary<unknown>, name: string): fc.Arbitrary<object> =>
  fc
    .tuple(
      fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 3 }),
      fc.option(container, { nil: undefined }),
      fc.dictionary(fc.constantFrom('x', 'y'), value, { maxKeys: 2 }),
    )
    .map(([before, inner, after]) => {
      const kept = Object.entries(before).filter(([key]) => key !== name)
      const own = inner === undefined ? [] : [[name, inner] as const]
      return Object.fromEntries([...kept, ...own, ...Object.entries(after)])
    })

export const servers = fc.dictionary(fc.constantFrom('a', 'b', 'constructor', 'plexus2'), value, {
  maxKeys: 3,
})

/** The text of a value, laid out in this style or as one line. */
export const text = (object: fc.Arbitrary<object>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(object, style).map(([given, how]) => layOut(given, how, 0) + how.end) },
    { weight: 1, arbitrary: object.map((given) => JSON.stringify(given)) },
  )

function layOut(given: unknown, how: Style, depth: number): string {
  if (typeof given !== 'object' || given === null) return JSON.stringify(given)
  const isList = Array.isArray(given)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const inLine = how.mixed && depth % 2 === 1
  const [outer, inner] = [how.newline + how.unit.repeat(depth), how.newline + how.unit.repeat(depth + 1)]
  const comment = how.comments[depth % 3]
  const parts = isList
    ? given.map((item) => layOut(item, how, depth + 1))
    : Object.entries(given).map(([key, each]) => `${JSON.stringify(key)}: ${layOut(each, how, depth + 1)}`)
  if (inLine) return `${open} ${parts.join(', ')} ${close}`
  const own = comment === undefined ? '' : inner + comment
  const comma = how.trailingComma && parts.length > 0 ? ',' : ''
  const body = parts.map((part, index) => own + inner + part + (index < parts.length - 1 ? ',' : comma))
  const last = comment === undefined ? '' : ` ${comment}`
  return (
    open +
    body.join('') +
    last +
    (parts.length === 0 && depth > 1 ? '' : outer) +
    (last.includes('//') ? outer : '') +
    close
  )
}
