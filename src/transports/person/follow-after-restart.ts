import type { Server } from '@modelcontextprotocol/server'
import type { Caller } from '../../callers/access-rules.ts'
import type { Engine } from '../../engine/engine.ts'
import { lastingFormsOf } from './client-forms.ts'
import { FormPlace } from './form-place.ts'
import type { Seat } from './known-person.ts'
import type { LastingConnection } from '../lasting-connection.ts'
import type { QuestionFollower } from './question-follower.ts'

interface Following {
  readonly server: Server
  readonly caller: Caller
  readonly seat: Seat
  readonly engine: Engine
  readonly follower: QuestionFollower
  readonly now?: (() => number) | undefined
}

/** The questions of this session are put to the person of the connection, by the next hub too. */
export function noteFollowed(lasting: LastingConnection | undefined, sessionId: string): void {
  const sessions = lasting?.kept().sessions ?? []
  if (!lasting || sessions.includes(sessionId)) return
  void lasting.keep({ sessions: [...sessions, sessionId].slice(-MOST) }).catch(() => {})
}

/** What an earlier hub put to the person of the connection is put to them again. */
export async function followAgain(
  lasting: LastingConnection,
  { server, caller, seat, engine, follower, now = Date.now }: Following,
): Promise<void> {
  const takes = lastingFormsOf(server, caller)
  if (!takes) return
  const place = new FormPlace(caller, takes.client, seat, now)
  if (!place.isOpen) return
  for (const sessionId of lasting.kept().sessions) {
    const session = await engine.getSession({ caller }, { sessionId }).catch(() => undefined)
    if (session) follower.follow(sessionId, session.lastSeq, place)
  }
}

const MOST = 32
