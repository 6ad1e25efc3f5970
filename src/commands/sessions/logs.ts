import type { CommandCall } from '../../command-line/command.ts'
import { logLines } from '../../command-line/views/log-lines.ts'
import { iso } from '../../command-line/views/session-views.ts'
import type { StoredEvent } from '../../events/event-log.ts'

export async function run({ args: [sessionId = ''], flags, out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('reads')
  const { id } = await engine.getSession(context, { sessionId })
  const print = (events: readonly StoredEvent[]) => {
    for (const stored of events)
      if (out.isJson) out.json({ ...stored, at: iso(stored.at) })
      else for (const line of logLines(stored)) out.line(line)
  }
  let after = 0
  for (;;) {
    const page = await engine.readEvents(context, { sessionId: id, after, limit: PAGE })
    print(page.events)
    after = page.events.at(-1)?.seq ?? after
    if (page.events.length < PAGE) break
  }
  if (!flags.isSet('follow')) return
  for await (const page of engine.followEvents(context, { sessionId: id, after })) print(page.events)
}

const PAGE = 500
