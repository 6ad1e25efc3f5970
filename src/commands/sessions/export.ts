import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { iso, sessionJson } from '../../command-line/views/session-views.ts'
import { labelOf } from '../../command-line/views/session-words.ts'
import { markdownOf } from '../../command-line/views/markdown-log.ts'
import type { StoredEvent } from '../../events/event-log.ts'

const FORMATS = ['markdown', 'json'] as const

/** The whole log of a session on stdout. */
export async function run({ args: [sessionId = ''], flags, out, hub }: CommandCall): Promise<void> {
  const format = out.isJson ? 'json' : (flags.text('format') ?? 'markdown')
  if (!FORMATS.some((known) => known === format))
    throw new AppError('invalid_input', '--format must be markdown or json.')
  const { engine, context } = await hub('reads')
  const session = await engine.getSession(context, { sessionId })
  const events: StoredEvent[] = []
  for (;;) {
    const after = events.at(-1)?.seq ?? 0
    const page = await engine.readEvents(context, { sessionId: session.id, after, limit: PAGE })
    events.push(...page.events)
    if (page.events.length < PAGE) break
  }
  if (format === 'json')
    return out.json({
      session: sessionJson({ session, open: [] }),
      events: events.map((stored) => ({ ...stored, at: iso(stored.at) })),
    })
  out.line(markdownOf(labelOf(session), events))
}

const PAGE = 1_000
