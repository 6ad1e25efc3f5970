import { parse, stringify } from 'smol-toml'

/** Changes to the text of a TOML file: one table, `[a.b]` with the tables below it, and nothing else. */

type Path = readonly [string, string]
type Table = Readonly<Record<string, unknown>>

/** The value of the table; undefined if there is none. Throws a SyntaxError if the text is not TOML. */
export function tableAt(text: string, [outer, inner]: Path): unknown {
  return asTable(asTable(parsed(text))[outer])[inner]
}

/** Puts the table at the end of the file, in place of the one before. */
export function withTable(text: string, path: Path, table: Table): string {
  const rest = withoutTable(text, path)
  const newline = rest.includes('\r\n') ? '\r\n' : '\n'
  const [outer, inner] = path
  const written = stringify({ [outer]: { [inner]: table } })
    .trim()
    .replaceAll('\n', newline)
  const gap = rest === '' ? '' : rest.endsWith('\n') ? newline : newline + newline
  const after = rest + gap + written + newline
  if (!isToml(after)) throw otherForm(path)
  return after
}

/** The inverse of `withTable`, also if other tables were added after it. */
export function withoutTable(text: string, path: Path): string {
  if (tableAt(text, path) === undefined) return text
  const starts = headers(text)
  const found = starts.findIndex((start) => isHeaderOf(text, start, path))
  if (found < 0) throw otherForm(path)
  const [start = 0, next = text.length] = starts.slice(found)
  const blank = blankLineBefore(text, start)
  const lines = text.slice(start, next).split(/(?<=\n)/)
  // Comments after its last line belong to what follows.
  const own = lines.slice(0, lines.findLastIndex((line) => !/^\s*(?:#|$)/.test(line)) + 1)
  const end = start + own.join('').length
  const rest = text.slice(0, blank) + text.slice(end)
  // The blank line between two tables goes with the first of them.
  return withoutTable(blank === 0 ? rest.replace(/^\r?\n/, '') : rest, path)
}

/** Where tables begin. A line in brackets is a header if all before it is whole: otherwise a text or a list is still open. */
function headers(text: string): number[] {
  return [...text.matchAll(/^[ \t]*\[/gm)]
    .map(({ index }) => index)
    .filter((start) => isToml(text.slice(0, start)))
}

function isHeaderOf(text: string, start: number, path: Path): boolean {
  const [line = ''] = text.slice(start).split('\n')
  const names = path.map((name) => `(?:${name}|"${name}"|'${name}')`).join('\\s*\\.\\s*')
  return new RegExp(`^\\s*\\[\\s*${names}\\s*[.\\]]`).test(line)
}

function blankLineBefore(text: string, start: number): number {
  const [blank = ''] = /(?<=\n)\r?\n$/.exec(text.slice(0, start)) ?? []
  return start - blank.length
}

function isToml(text: string): boolean {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

function parsed(text: string): unknown {
  try {
    return parse(text)
  } catch (cause) {
    const line = cause instanceof Error && 'line' in cause ? String(cause.line) : '?'
    throw new SyntaxError(`line ${line}`, { cause })
  }
}

function asTable(value: unknown): Table {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function otherForm(path: Path): SyntaxError {
  return new SyntaxError(`${path.join('.')} is not written as a table of its own`)
}
