import type { Server } from '@modelcontextprotocol/server'
import type { SessionKey } from '../../base/ids.ts'
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

/** Stores that the questions of this session are put to the person of the connection, so that the next hub does it too. */
export function noteFollowed(lasting: LastingConnection | undefined, sessionId: SessionKey): void {
  if (!lasting) return
  const { sessions } = lasting.kept()
  if (sessions.includes(sessionId)) return
  void lasting.keep({ sessions: [...sessions, sessionId].slice(-MAX_SESSIONS) }).catch(() => {})
}

/** Follows the sessions again whose questions an earlier hub put to the person of the connection. */
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

const MAX_SESSIONS = 32
