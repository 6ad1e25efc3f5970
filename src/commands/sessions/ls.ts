import type { CommandCall } from '../../command-line/command.ts'
import { alignedLines } from '../../command-line/views/columns.ts'
import { needsAnswer } from '../../sessions/record/at-work.ts'
import { byUrgency, sessionColumns, sessionJson } from '../../command-line/views/session-views.ts'
import { dollars, labelOf, stateWord } from '../../command-line/views/session-words.ts'

/** More are shown with `--all`. */
const RECENT = 50
const MOST = 500

export async function run({ flags, env, out, hub, keepList }: CommandCall): Promise<void> {
  const { engine, context } = await hub('reads')
  const all = flags.isSet('all')
  const [sessions, { zone, days }] = await Promise.all([
    engine.listSessions(context, { limit: all ? MOST : RECENT }),
    engine.costs(context, {}),
  ])
  const isAsked = sessions.some(needsAnswer)
  const questions = isAsked ? await engine.pending(context, {}) : []
  const [today] = days
  const listed = byUrgency(sessions, questions).filter(({ session }) => all || stateWord(session) !== 'ended')
  if (out.isJson) return out.json({ sessions: listed.map(sessionJson), today: { ...today, zone } })
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
  const columns = sessionColumns(listed, { now: Date.now(), homeFolder: env['HOME'], style: out.style })
  for (const line of alignedLines(columns, out.columns)) out.line(line)
  if (today && today.usd > 0) out.say(`${dollars(today.usd)} today`)
}
