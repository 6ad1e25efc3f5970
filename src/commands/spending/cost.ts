import { AppError } from '../../base/errors.ts'
import { budgetLines, RESOURCES, spentText } from '../../budgets/budget.ts'
import type { Costs } from '../../engine/sessions/sum-costs.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { alignedLines } from '../../command-line/views/columns.ts'
import { modelSums } from './model-sums.ts'
import { dollars, labelOf } from '../../command-line/views/session-words.ts'

const DEFAULT_DAYS = 7
const MAX_DAYS = 366

/** By day, by session and by model; with a session, of it and of all below it. */
export async function run({ args: [sessionId], flags, out, hub }: CommandCall): Promise<void> {
  const days = daysIn(flags.text('days'))
  const { engine, context } = await hub('reads')
  const costs = await engine.costs(context, { sessionId, days })
  if (out.isJson) return out.json(costs)
  const table = (title: string, rows: readonly { readonly label: string; readonly usd: number }[]) =>
    alignedLines(
      [
        { title, cells: rows.map(({ label }) => label), flexible: true },
        { title: 'COST', cells: rows.map((row) => dollars(row.usd)), right: true },
      ],
      out.columns,
    )
  const spent = costs.days.filter((day) => day.usd > 0)
  if (spent.length === 0) out.say(`Nothing was spent in ${days === 1 ? 'a day' : `${days} days`}.`)
  else
    for (const line of table(
      'DAY',
      spent.map((day) => ({ label: day.day, usd: day.usd })),
    ))
      out.line(line)
  const sessions = costs.sessions.map((one) => ({
    label: `${labelOf({ id: one.sessionId, name: one.name })}${one.removed ? ' (removed)' : ''}`,
    usd: one.usd,
  }))
  if (sessions.length > 0) for (const line of ['', ...table('SESSION', sessions)]) out.line(line)
  const models = modelSums(costs.models)
  if (models.length > 0) for (const line of ['', ...table('MODEL', models)]) out.line(line)
  const { session } = costs
  if (session) for (const line of ['', ...treeLines(session)]) out.line(line)
  if (out.isTerminal) out.say(`A day is one of ${costs.zone}.`)
}

/** All that a session has spent so far, with all below it; of a limit where it has one. */
function treeLines({ budget = {}, spent, below }: NonNullable<Costs['session']>): string[] {
  const whole = RESOURCES.filter((resource) => budget[resource] === undefined)
  return [
    `In all${below > 0 ? `, with ${below} below it` : ''}:`,
    ...budgetLines(budget, spent).map((line) => `  ${line}`),
    ...whole.map((resource) => `  ${spentText(resource, spent[resource])}`),
  ]
}

function daysIn(text: string | undefined): number {
  if (text === undefined) return DEFAULT_DAYS
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_DAYS) return Number(text)
  throw new AppError('invalid_input', `--days must be a whole number from 1 to ${MAX_DAYS}.`)
}
