import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { pageLines } from '../../command-line/terminal/page-lines.ts'
import { alignedLines } from '../../command-line/views/columns.ts'
import { recordColumns, rowJson, rowLines } from '../../command-line/views/record-views.ts'

/** `audit ls`, `audit show ROW`, `audit export` and `audit verify [FILE]`. */
export async function run(call: CommandCall): Promise<number | void> {
  const [verb, given] = call.args
  if (verb === 'ls' && given === undefined) return list(call)
  if (verb === 'show' && given !== undefined) return show(call, wholeNumber('ROW', given))
  if (verb === 'export' && given === undefined) return (await import('./export-record.ts')).exportRecord(call)
  if (verb === 'verify') return (await import('./verify-record.ts')).verifyRecord(call, given)
  throw new AppError(
    'invalid_input',
    'Say plexus audit ls, plexus audit show ROW, plexus audit export, or plexus audit verify [FILE].',
  )
}

async function list({ flags, env, out, hub }: CommandCall): Promise<void> {
  const limit = flags.text('limit')
  const query = {
    sessionId: flags.text('session'),
    kind: flags.text('kind'),
    limit: limit === undefined ? undefined : wholeNumber('--limit', limit),
  }
  // What is read is recorded, so a hub is needed even to read.
  const { engine, context } = await hub('changes')
  const rows = await engine.listRecord(context, query)
  if (out.isJson) return out.json({ rows: rows.map(rowJson) })
  if (rows.length === 0) return out.say('No row of the record is like that.')
  await pageLines(alignedLines(recordColumns(rows), out.columns), out, env)
}

async function show({ env, out, hub }: CommandCall, number: number): Promise<void> {
  const { engine, context } = await hub('changes')
  const { row, related } = await engine.getRecordRow(context, { number })
  if (out.isJson) return out.json({ row: rowJson(row), related: related.map(rowJson) })
  const others = related.length === 0 ? [] : ['', 'About the same question:', ...related.flatMap(rowLines)]
  await pageLines([...rowLines(row), ...others], out, env)
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new AppError('invalid_input', `${name} must be a whole number, 1 or more.`)
}
