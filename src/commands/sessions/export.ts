import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { readLog } from '../../command-line/read-log.ts'
import { pageLines } from '../../command-line/terminal/page-lines.ts'
import { iso, sessionJson } from '../../command-line/views/session-views.ts'
import { titleOf } from '../../command-line/views/session-words.ts'
import { markdownOf } from '../../command-line/views/markdown-log.ts'
import type { StoredEvent } from '../../events/event-log.ts'

const FORMATS = ['markdown', 'json'] as const

/** The whole log of a session on stdout. */
export async function run({ args: [sessionId = ''], flags, env, out, hub }: CommandCall): Promise<void> {
  const format = out.isJson ? 'json' : (flags.text('format') ?? 'markdown')
  if (!FORMATS.some((known) => known === format))
    throw new AppError('invalid_input', '--format must be markdown or json.')
  const client = await hub('reads')
  const session = await client.engine.getSession(client.context, { sessionId })
  const events: StoredEvent[] = []
  for await (const stored of readLog(client, session.id)) events.push(stored)
  if (format === 'json')
    return out.json({
      session: sessionJson({ session, open: [] }),
      events: events.map((stored) => ({ ...stored, at: iso(stored.at) })),
    })
  await pageLines(markdownOf(titleOf(session), events).split('\n'), out, env)
}
