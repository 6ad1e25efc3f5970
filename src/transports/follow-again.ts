import type { Server } from '@modelcontextprotocol/server'
import type { Identity } from '../callers/permission.ts'
import type { Engine } from '../engine/engine.ts'
import { lastingPersonAt } from './client-person.ts'
import type { LastingConnection } from './lasting-connection.ts'
import type { QuestionFollower } from './question-follower.ts'

interface Following {
  readonly server: Server
  readonly caller: Identity
  readonly engine: Engine
  readonly follower: QuestionFollower
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
  { server, caller, engine, follower }: Following,
): Promise<void> {
  const person = lastingPersonAt(server, caller)
  if (!person) return
  for (const sessionId of lasting.kept().sessions) {
    const session = await engine.getSession({ caller }, { sessionId }).catch(() => undefined)
    if (session) follower.follow(sessionId, session.lastSeq, person.identity)
  }
}

const MOST = 32
