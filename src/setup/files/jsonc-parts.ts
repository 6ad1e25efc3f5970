import { type JsonNode, skipTrivia } from './jsonc.ts'

/** How a text is laid out, so that what is added looks like the rest. */
interface Layout {
  /** The whole file is one line. */
  readonly isCompact: boolean
  readonly unit: string
  readonly newline: string
}

interface NewPart {
  readonly key?: string
  readonly value: unknown
}

/** Adds a part at the end of an object or array. */
export function insertPart(text: string, root: JsonNode, list: JsonNode, part: NewPart): string {
  const layout = layoutOf(text, root)
  const last = list.parts.at(-1)
  const close = list.end - 1
  const inner = text.slice(list.start + 1, close)
  // After the comments that may follow the last part, before the space that precedes the bracket.
  const place = list.start + 1 + inner.trimEnd().length
  const outer = indentationAt(text, list.start)
  const ownLine = last && indentationOf(text, last.start)
  const indentation = ownLine ?? outer + layout.unit
  const before = layout.isCompact ? '' : layout.newline + indentation
  const written = before + partText(part, layout, indentation)
  if (!last) {
    const after = layout.isCompact || text.slice(place, close).includes('\n') ? '' : layout.newline + outer
    return splice(text, place, after === '' ? place : close, written + after)
  }
  const comma = skipTrivia(text, last.end)
  if (text[comma] === ',') return splice(text, place, place, `${written},`)
  return splice(splice(text, place, place, written), last.end, last.end, ',')
}

export function replaceNode(text: string, root: JsonNode, node: JsonNode, value: unknown): string {
  const layout = layoutOf(text, root)
  return splice(text, node.start, node.end, valueText(value, layout, indentationAt(text, node.start)))
}

/** Removes a part with its comma: the inverse of `insertPart`, also if other parts were added after it. */
export function removePart(text: string, list: JsonNode, index: number): string {
  const [before, part, after] = [list.parts[index - 1], list.parts[index], list.parts[index + 1]]
  if (!part) return text
  const comma = skipTrivia(text, part.end)
  const end = text[comma] === ',' ? comma + 1 : part.end
  const previousEnd = before ? before.end : list.start + 1
  const gap = text.slice(previousEnd, part.start)
  const joins = endsWithLineComment(gap) && !/^[ \t]*\r?\n/.test(text.slice(end))
  const start = joins ? part.start : previousEnd + gap.trimEnd().length
  const rest = splice(text, start, end, '')
  if (before && end === part.end) {
    const owed = skipTrivia(text, before.end)
    return splice(rest, owed, owed + 1, '')
  }
  if (before ?? after) return rest
  const close = list.end - (end - start) - 1
  return rest.slice(list.start + 1, close).trim() === '' ? splice(rest, list.start + 1, close, '') : rest
}

/** What follows such a comment in its line would become a part of it. */
function endsWithLineComment(trivia: string): boolean {
  const last = [...trivia.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g)].at(-1)
  return (
    last !== undefined && last[0].startsWith('//') && trivia.slice(last.index + last[0].length).trim() === ''
  )
}

function partText({ key, value }: NewPart, layout: Layout, indentation: string): string {
  const written = valueText(value, layout, indentation)
  return key === undefined ? written : `${JSON.stringify(key)}:${layout.isCompact ? '' : ' '}${written}`
}

function valueText(value: unknown, { isCompact, unit, newline }: Layout, indentation: string): string {
  if (isCompact) return JSON.stringify(value)
  return JSON.stringify(value, null, unit).replaceAll('\n', newline + indentation)
}

function layoutOf(text: string, root: JsonNode): Layout {
  const [first] = root.parts
  const unit = first && indentationOf(text, first.start)
  return {
    isCompact: first !== undefined && !text.slice(root.start, root.end).includes('\n'),
    unit: unit === undefined || unit === '' ? '  ' : unit,
    newline: /\r?\n/.exec(text)?.[0] ?? '\n',
  }
}

/** The space before this position, if it begins its line. */
function indentationOf(text: string, position: number): string | undefined {
  const space = lineBefore(text, position)
  return /^[ \t]*$/.test(space) ? space : undefined
}

/** The space that the line of this position begins with. */
function indentationAt(text: string, position: number): string {
  return /^[ \t]*/.exec(lineBefore(text, position))?.[0] ?? ''
}

function lineBefore(text: string, position: number): string {
  return text.slice(text.lastIndexOf('\n', position - 1) + 1, position)
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}
