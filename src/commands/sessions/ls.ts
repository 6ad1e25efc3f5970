import { definedFields } from '../../base/defined-fields.ts'
import { budgetLines, budgetOf } from '../../budgets/budget.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { alignedLines } from '../../command-line/views/columns.ts'
import { needsAnswer } from '../../sessions/record/at-work.ts'
import {
  byUrgency,
  type ListedSession,
  sessionColumns,
  sessionJson,
} from '../../command-line/views/session-views.ts'
import { dollars, labelOf, stateWord } from '../../command-line/views/session-words.ts'

/** More are shown with `--all`. */
const RECENT = 50
const MOST = 500

export async function run(call: CommandCall): Promise<void> {
  const { flags, env, hub, keepList } = call
  const { engine, context } = await hub('reads')
  const all = flags.isSet('all')
  const [sessions, { zone, days }] = await Promise.all([
    engine.listSessions(context, { limit: all ? MOST : RECENT }),
    engine.costs(context, {}),
  ])
  const { out } = call
  const isAsked = sessions.some(needsAnswer)
  const questions = isAsked ? await engine.pending(context, {}) : []
  const budgets = sessions.some(budgetOf) ? await engine.listBudgets(context, {}) : []
  const [today] = days
  const listed = byUrgency(sessions, questions).filter(({ session }) => all || stateWord(session) !== 'ended')
  if (out.isJson) {
    const withBudget = (one: ListedSession) => {
      const { budget, spent } = budgets.find(({ sessionId }) => sessionId === one.session.id) ?? {}
      return { ...sessionJson(one), ...definedFields({ budget, treeSpent: spent }) }
    }
    return out.json({ sessions: listed.map(withBudget), today: { ...today, zone } })
  }
  await keepList(
    listed.map(({ session, open }) => ({
      kind: 'session',
      id: session.id,
      label: labelOf(session),
      open: open.map(({ id }) => id),
    })),
  )
  if (flags.isSet('quiet')) return listed.forEach(({ session }) => out.line(session.id))
  if (listed.length === 0) {
    out.say(
      sessions.length > 0
        ? 'All sessions have ended; plexus ls --all lists them.'
        : 'There are no sessions yet; plexus start "what to do" begins one.',
    )
    return
  }
  const used = new Map(
    budgets.map(({ sessionId, budget, spent }) => [sessionId, budgetLines(budget, spent)[0] ?? '']),
  )
  const columns = sessionColumns(listed, {
    now: Date.now(),
    homeFolder: env['HOME'],
    style: out.style,
    used,
  })
  for (const line of alignedLines(columns, out.columns)) out.line(line)
  if (today && today.usd > 0) out.say(`${dollars(today.usd)} today`)
}
