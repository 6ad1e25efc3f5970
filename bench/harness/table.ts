import type { Comparison } from './comparison.ts'

const HEADER = ['figure', 'ours', 'reference', 'ratio', '95 %', 'goal', 'reached', 'compared with']

/** One Markdown table, padded so that it reads well in a terminal too. */
export function tableOf(comparisons: Comparison[]): string {
  const rows = [HEADER, ...comparisons.map(cellsOf)]
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

function cellsOf(row: Comparison): string[] {
  const { added, unit } = row
  const intervals = [`${row.low} – ${row.high}`, ...(added ? [`${added.low} – ${added.high} ${unit}`] : [])]
  const interval = row.pairs > 1 ? `${intervals.join(', ')} (${row.pairs} pairs)` : 'one value each'
  return [
    `${row.id}: ${row.title}`,
    `${row.oursMedian} ${unit}`,
    `${row.referenceMedian} ${unit}`,
    added ? `${row.ratio}, ${added.median} ${unit} added` : String(row.ratio),
    interval,
    row.goal,
    row.reached,
    row.reference,
  ]
}

/** Puts the table between the two markers of a page; the rest of the page stays as it is. */
export function pageWith(page: string, table: string): string {
  const [begin, end] = ['<!-- figures -->', '<!-- /figures -->']
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`The page has no place for the table: ${begin} … ${end}`)
  return `${page.slice(0, from + begin.length)}\n${table}\n${page.slice(to)}`
}
