import { z } from 'zod'
import { definedFields } from '../../base/defined-fields.ts'
import type { SessionKey } from '../../base/ids.ts'
import type { Store } from '../../sessions/record/store.ts'

/** How a person knows a session, also one that was removed. */
export interface SessionLabel {
  readonly name?: string
  readonly removed?: true
}

/** Its name; of a session that was removed the last one, as long as the record has it. */
export async function sessionLabel(
  { sessions, record }: Pick<Store, 'sessions' | 'record'>,
  id: SessionKey,
): Promise<SessionLabel> {
  const session = await sessions.get(id)
  if (session) return session.name === undefined ? {} : { name: session.name }
  const [row] = await record.latest({ session: id, kind: 'session-removed', limit: 1 })
  const name = row && fieldsOf(row.body).name
  return { ...(name === undefined ? {} : { name }), removed: true }
}

/** The id of the session that had this name, or whose id begins so, when it was removed; the latest of them. */
export async function removedSession(
  { record }: Pick<Store, 'record'>,
  name: string,
): Promise<string | undefined> {
  let before: number | undefined
  for (;;) {
    const rows = await record.latest({ kind: 'session-removed', before, limit: MAX_ROWS })
    for (const { body } of rows) {
      const { session: id, name: last } = fieldsOf(body)
      if (id !== undefined && (last === name || id.startsWith(name))) return id
    }
    before = rows.at(-1)?.number
    if (rows.length < MAX_ROWS) return undefined
  }
}

/** What a row says of its session. */
function fieldsOf(body: string): { session?: string; name?: string } {
  const { session, name } = Row.parse(JSON.parse(body))
  return { ...definedFields({ session, name }) }
}

const Row = z.looseObject({ session: z.string().optional(), name: z.string().optional() })
const MAX_ROWS = 500
