import type { CommandCall } from '../../command-line/command.ts'
import { readLog } from '../../command-line/read-log.ts'
import { pageLines } from '../../command-line/terminal/page-lines.ts'
import { wordRows } from '../../command-line/terminal/word-rows.ts'
import { logLines } from '../../command-line/views/log-lines.ts'
import { LogMemory } from '../../command-line/views/log-memory.ts'
import { iso } from '../../command-line/views/session-views.ts'
import type { StoredEvent } from '../../events/event-log.ts'

export async function run({ args: [sessionId = ''], flags, env, out, hub }: CommandCall): Promise<void> {
  const client = await hub('reads')
  const { id } = await client.engine.getSession(client.context, { sessionId })
  const memory = new LogMemory()
  const linesOf = (stored: StoredEvent) =>
    logLines(stored, undefined, memory).flatMap((line) => wordRows(line, out.columns))
  const print = (stored: StoredEvent) => {
    if (out.isJson) out.json({ ...stored, at: iso(stored.at) })
    else for (const line of linesOf(stored)) out.line(line)
  }
  const isPaged = out.isTerminal && !out.isJson && !flags.isSet('follow')
  const lines: string[] = []
  let after = 0
  for await (const stored of readLog(client, id)) {
    after = stored.seq
    if (isPaged) lines.push(...linesOf(stored))
    else print(stored)
  }
  if (isPaged) return pageLines(lines, out, env)
  if (!flags.isSet('follow')) return
  for await (const page of client.engine.followEvents(client.context, { sessionId: id, after }))
    page.events.forEach(print)
}
