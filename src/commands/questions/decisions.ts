import { AppError } from '../../base/errors.ts'
import type { ClientHub, CommandCall } from '../../command-line/command.ts'
import { pageLines } from '../../command-line/terminal/page-lines.ts'
import { alignedLines } from '../../command-line/views/columns.ts'
import { decisionColumns, decisionJson, latestFirst } from '../../command-line/views/decision-views.ts'
import { questionId } from '../../command-line/views/question-views.ts'

/** What was decided, in one session or in all. */
export async function run(call: CommandCall): Promise<void> {
  const { args, flags, env, out, hub } = call
  const [sessionId] = args
  const limit = limitIn(flags.text('limit')) ?? DEFAULT_LIMIT
  const client = await hub('reads')
  if (flags.isSet('removed')) return listRemoved(call, client, limit)
  const read = Math.min(MAX_LIMIT, Math.max(MIN_READ, 2 * limit))
  const query = { sessionId, limit: read }
  const found = await client.engine.decisions(client.context, query).catch((error: unknown) => {
    if (sessionId !== undefined && error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })
  if (!found) return listRemoved(call, client, limit)
  const decided = latestFirst(found).slice(0, limit)
  if (out.isJson) return out.json({ decisions: decided.map(decisionJson) })
  if (flags.isSet('quiet')) return decided.forEach((one) => out.line(questionId(one)))
  if (decided.length === 0) return out.explain(`Nothing was decided yet. ${REMOVED}`)
  await pageLines(alignedLines(decisionColumns(decided), out.columns), out, env)
  if (out.isTerminal && sessionId === undefined) out.explain(REMOVED)
}

const REMOVED = 'plexus decisions --removed lists those of sessions that were removed.'

/** Only the record keeps them. */
async function listRemoved({ args, flags, env, out }: CommandCall, client: ClientHub, limit: number) {
  const [sessionId] = args
  const { removedColumns, removedDecisions, removedJson } = await import('./removed-decisions.ts')
  const decided = await removedDecisions(client, { sessionId, limit })
  if (decided.length === 0 && sessionId !== undefined)
    throw new AppError(
      'not_found',
      `There is no session ${sessionId}, and the record has no decision of one that was removed.`,
    )
  if (out.isJson) return out.json({ decisions: decided.map(removedJson) })
  if (flags.isSet('quiet')) return decided.forEach(({ row }) => out.line(String(row.body['approvalId'])))
  if (decided.length === 0) return out.explain('The record has no decision of a session that was removed.')
  await pageLines(alignedLines(removedColumns(decided), out.columns), out, env)
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
