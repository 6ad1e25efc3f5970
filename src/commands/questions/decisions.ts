import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { pageLines } from '../../command-line/terminal/page-lines.ts'
import { alignedLines } from '../../command-line/views/columns.ts'
import { decisionColumns, decisionJson, latestFirst } from '../../command-line/views/decision-views.ts'
import { questionId } from '../../command-line/views/question-views.ts'

/** What was decided, in one session or in all. */
export async function run({ args: [sessionId], flags, env, out, hub }: CommandCall): Promise<void> {
  const limit = limitIn(flags.text('limit')) ?? DEFAULT_LIMIT
  const { engine, context } = await hub('reads')
  const read = Math.min(MAX_LIMIT, Math.max(MIN_READ, 2 * limit))
  const found = await engine.decisions(context, { sessionId, limit: read }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? unknownSession(sessionId ?? '') : error
  })
  const decided = latestFirst(found).slice(0, limit)
  if (out.isJson) return out.json({ decisions: decided.map(decisionJson) })
  if (flags.isSet('quiet')) return decided.forEach((one) => out.line(questionId(one)))
  if (decided.length === 0) return out.explain(`Nothing was decided yet. ${REMOVED}`)
  await pageLines(alignedLines(decisionColumns(decided), out.columns), out, env)
  if (out.isTerminal && sessionId === undefined) out.explain(REMOVED)
}

/** Only the record keeps them. */
const REMOVED = 'Decisions of removed sessions are in the record: plexus audit ls --kind settled.'

function unknownSession(name: string): AppError {
  return new AppError(
    'not_found',
    `There is no session ${name}; if it was removed, plexus audit ls --session ${name} --kind settled lists its decisions.`,
  )
}

function limitIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new AppError('invalid_input', `--limit must be a whole number from 1 to ${MAX_LIMIT}.`)
}

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 500
/** The hub lists the newest question first, and one that was asked long ago may have been answered just now: more are read than shown. */
const MIN_READ = 100
