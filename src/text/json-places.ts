/** The line and the column of a place in a text, both from 1. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/** Where a text stops being JSON; undefined if all of it is. Pure. */
export function jsonFault(text: string): TextPlace | undefined {
  const { fault } = scan(text)
  return fault === undefined ? undefined : placeIn(text, fault)
}

/** Where the value with this path, such as `rules.0.effect`, stands in a text that is JSON; else the nearest one around it. Pure. */
export function jsonPlace(text: string, path: string): TextPlace | undefined {
  const { starts } = scan(text)
  for (let part = path; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('.')))) {
    const start = starts.get(part)
    if (start !== undefined) return placeIn(text, start)
  }
  return undefined
}

interface Scan {
  readonly fault?: number | undefined
  /** Where each value begins, by its path. */
  readonly starts: ReadonlyMap<string, number>
}

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end' | 'nothing'

/** A list has an index, an object the key of its current field. */
interface Level {
  readonly close: ']' | '}'
  at: string
  index: number
}

function scan(text: string): Scan {
  const tokens = new RegExp(TOKEN)
  const starts = new Map<string, number>()
  const levels: Level[] = []
  let expected: Expected = 'value'
  for (let index = 0; ;) {
    tokens.lastIndex = index
    const token = tokens.exec(text)?.[0]
    if (token === undefined)
      return index === text.length && expected === 'nothing' ? { starts } : { starts, fault: index }
    const start = index
    index += token.length
    if (/^\s/.test(token)) continue
    const level = levels.at(-1)
    const isValue = expected === 'value' || expected === 'value or ]'
    const ends = expected === 'comma or end' || expected === 'value or ]' || expected === 'key or }'
    if (isValue && VALUE.test(token)) {
      starts.set(levels.map(({ at }) => at).join('.'), start)
      if (token === '[') levels.push({ close: ']', at: '0', index: 0 })
      if (token === '{') levels.push({ close: '}', at: '', index: 0 })
      expected = token === '[' ? 'value or ]' : token === '{' ? 'key or }' : afterValue(levels)
    } else if ((expected === 'key' || expected === 'key or }') && level && token.startsWith('"')) {
      level.at = String(JSON.parse(token))
      expected = 'colon'
    } else if (expected === 'colon' && token === ':') expected = 'value'
    else if (expected === 'comma or end' && level && token === ',') {
      level.index += 1
      if (level.close === ']') level.at = String(level.index)
      expected = level.close === ']' ? 'value' : 'key'
    } else if (ends && level && token === level.close) {
      levels.pop()
      expected = afterValue(levels)
    } else return { starts, fault: start }
  }
}

function afterValue(levels: readonly Level[]): Expected {
  return levels.length === 0 ? 'nothing' : 'comma or end'
}

const TOKEN =
  // oxlint-disable-next-line no-control-regex -- JSON has none of these in a string
  /[ \t\r\n]+|"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y
const VALUE = /^["\-\dtfn[{]/

function placeIn(text: string, index: number): TextPlace {
  const before = text.slice(0, index)
  return { line: before.split('\n').length, column: index - before.lastIndexOf('\n') }
}
