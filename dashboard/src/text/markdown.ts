/** A piece of a line. There are no links that can be clicked: the text of a model must not lead a person anywhere. */
export type Inline =
  | { readonly type: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly type: 'link'; readonly text: string; readonly address: string }

export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly type: 'paragraph' | 'quote'; readonly content: readonly Inline[] }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'list'; readonly ordered: boolean; readonly items: readonly ListItem[] }
  | { readonly type: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly type: 'rule' }

export interface ListItem {
  readonly depth: number
  /** Of a task list. */
  readonly checked?: boolean
  readonly content: readonly Inline[]
}

/**
 * The part of Markdown that plans are written in, as data. What is not known stays as text: nothing of a child's text can
 * become markup, because no markup is ever made from it.
 */
export function parseMarkdown(text: string): Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const blocks: Block[] = []
  for (let index = 0; index < lines.length;) {
    const { block, next } = blockAt(lines, index)
    if (block) blocks.push(block)
    index = next
  }
  return blocks
}

interface Found {
  readonly block?: Block
  readonly next: number
}

/** Everything after the fence is shown as the language: a place where text could be hidden otherwise. */
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*(.*)$/
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/
const QUOTE = /^ {0,3}>\s?(.*)$/
const TABLE_LINE = /^\s*\|.*\|\s*$/
const TABLE_BORDER = /^\s*\|[\s:|-]+\|\s*$/

function blockAt(lines: readonly string[], start: number): Found {
  const line = lines[start] ?? ''
  if (line.trim() === '') return { next: start + 1 }
  const [, fence, language = ''] = FENCE.exec(line) ?? []
  if (fence !== undefined) return fencedAt(lines, start, fence, language)
  const [, hashes, title = ''] = HEADING.exec(line) ?? []
  if (hashes !== undefined)
    return { block: { type: 'heading', level: hashes.length, content: parseInline(title) }, next: start + 1 }
  if (RULE.test(line)) return { block: { type: 'rule' }, next: start + 1 }
  if (ITEM.test(line)) return listAt(lines, start)
  if (TABLE_LINE.test(line) && TABLE_BORDER.test(lines[start + 1] ?? '')) return tableAt(lines, start)
  if (QUOTE.test(line)) {
    const quoted = linesWhile(lines, start, (each) => QUOTE.test(each))
    const content = parseInline(quoted.map((each) => QUOTE.exec(each)?.[1] ?? '').join('\n'))
    return { block: { type: 'quote', content }, next: start + quoted.length }
  }
  const paragraph = [line, ...linesWhile(lines, start + 1, (each) => each.trim() !== '' && !begins(each))]
  return {
    block: { type: 'paragraph', content: parseInline(paragraph.join('\n')) },
    next: start + paragraph.length,
  }
}

function begins(line: string): boolean {
  return [FENCE, HEADING, ITEM, RULE, QUOTE].some((pattern) => pattern.test(line))
}

function linesWhile(lines: readonly string[], start: number, holds: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, index) => index >= start && !holds(line))
  return lines.slice(start, end === -1 ? lines.length : end)
}

function fencedAt(lines: readonly string[], start: number, fence: string, language: string): Found {
  const isEnd = (line: string) => line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim())
  const inside = linesWhile(lines, start + 1, (line) => !isEnd(line))
  return {
    block: { type: 'code', language, text: inside.join('\n') },
    next: start + inside.length + 2,
  }
}

function listAt(lines: readonly string[], start: number): Found {
  const own = linesWhile(lines, start, (line) => ITEM.test(line) || /^\s{2,}\S/.test(line))
  const ordered = /^\s*\d/.test(lines[start] ?? '')
  const items: { depth: number; checked?: boolean; text: string }[] = []
  for (const line of own) {
    const [, indent = '', , check, text = ''] = ITEM.exec(line) ?? []
    const last = items.at(-1)
    if (!ITEM.test(line) && last) last.text += `\n${line.trim()}`
    else
      items.push({
        depth: Math.min(Math.floor(indent.replaceAll('\t', '  ').length / 2), 6),
        ...(check === undefined ? {} : { checked: check !== ' ' }),
        text,
      })
  }
  return {
    block: {
      type: 'list',
      ordered,
      items: items.map(({ text, ...item }) => ({ ...item, content: parseInline(text) })),
    },
    next: start + own.length,
  }
}

function tableAt(lines: readonly string[], start: number): Found {
  const own = linesWhile(lines, start, (line) => TABLE_LINE.test(line))
  const rows = own
    .filter((_, index) => index !== 1)
    .map((line) =>
      line
        .trim()
        .slice(1, -1)
        .split('|')
        .map((cell) => parseInline(cell.trim())),
    )
  return { block: { type: 'table', rows }, next: start + own.length }
}

const INLINE =
  /(`+)(.+?)\1(?!`)|\*\*(.+?)\*\*|__(.+?)__|(?<![\w*])\*([^\s*][^*]*)\*(?!\w)|\[([^\]]+)\]\(([^)\s]+)\)/gs

function parseInline(text: string): Inline[] {
  const parts: Inline[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) parts.push({ type: 'text', text: text.slice(end, match.index) })
    parts.push(inlineOf(match))
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ type: 'text', text: text.slice(end) })
  return parts
}

function inlineOf([whole, , code, strong, alsoStrong, emphasis, label, address]: RegExpExecArray): Inline {
  if (code !== undefined) return { type: 'code', text: code.trim() }
  const bold = strong ?? alsoStrong
  if (bold !== undefined) return { type: 'strong', text: bold }
  if (emphasis !== undefined) return { type: 'emphasis', text: emphasis }
  if (label !== undefined && address !== undefined) return { type: 'link', text: label, address }
  return { type: 'text', text: whole }
}
