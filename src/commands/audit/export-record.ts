import { CSV_HEADER, csvLine } from '../../audit/csv-lines.ts'
import { itemOfLine } from '../../audit/export-lines.ts'
import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { RecordSpans } from '../../otlp/record-spans.ts'
import { traceRequest } from '../../otlp/span.ts'

/** Makes the lines of one format out of lines of JSON, page by page. */
interface Format {
  readonly header: readonly string[]
  readonly linesOf: (lines: readonly string[]) => readonly string[]
}

/** Writes the whole record to stdout, a page at a time. */
export async function exportRecord({ flags, out, hub }: CommandCall): Promise<void> {
  const format = formatOf(flags.text('format') ?? 'jsonl')
  const { engine, context } = await hub('changes')
  for (const line of format.header) out.line(line)
  let until: number | undefined
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: Awaited<ReturnType<typeof engine.exportRecord>> = await engine.exportRecord(context, {
      after,
      until,
    })
    for (const line of format.linesOf(page.lines)) out.line(line)
    until = page.until
    after = page.next
  }
}

function formatOf(name: string): Format {
  if (name === 'jsonl') return { header: [], linesOf: (lines) => lines }
  if (name === 'csv') return { header: [CSV_HEADER], linesOf: (lines) => rowsOf(lines).map(csvLine) }
  if (name === 'otlp') {
    const spans = new RecordSpans()
    const linesOf = (lines: readonly string[]) => {
      const made = rowsOf(lines).flatMap((row) => spans.add(row))
      return made.length === 0 ? [] : [JSON.stringify(traceRequest(made))]
    }
    return { header: [], linesOf }
  }
  throw new AppError('invalid_input', '--format must be jsonl, csv or otlp.')
}

function rowsOf(lines: readonly string[]) {
  return lines.flatMap((line) => {
    const item = itemOfLine(line)
    return item && 'row' in item ? [item.row] : []
  })
}
