import type { Env } from '../../assembly/config.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { NoHub } from '../../hub-client/hub-address.ts'
import { isAtWork } from '../../sessions/record/at-work.ts'
import type { Session } from '../../sessions/record/session.ts'
import { connectToHub, homeOf } from '../client-hub.ts'
import { type HomeFacts, homeFacts, missingHubSentence, waitingSentence } from '../missing-hub.ts'

/** A person waits for the prompt of the shell. */
const PATIENCE_MS = 200
const MANY = 500

/** What runs in the home folder, in two lines. Starts no hub; a fault, or a hub that takes too long, is no line at all. */
export async function whatRuns(env: Env): Promise<string[]> {
  try {
    const { engine, context, close } = connectToHub({ env, home: undefined, startsHub: false })
    const reading = Promise.all([engine.listSessions(context, { limit: MANY }), engine.pending(context, {})])
    const found = await withTimeout(reading, PATIENCE_MS, undefined).finally(close)
    return found === undefined ? [] : runningLines(...found)
  } catch (error) {
    return error instanceof NoHub ? withoutHub(await homeFacts(homeOf(env, undefined), env)) : []
  }
}

function withoutHub(facts: HomeFacts): string[] {
  if (facts.alive > 0) return [missingHubSentence(facts)]
  const terminals = waitingSentence(facts)
  return [
    'No hub runs, so no session is at work.',
    ...(terminals === undefined ? [] : [terminals]),
    'plexus demo shows what it does; plexus start "what to do" begins.',
  ]
}

/** Pure. */
export function runningLines(sessions: readonly Session[], open: readonly PendingQuestion[]): string[] {
  const working = sessions.filter(isAtWork).length
  return [
    `A hub runs, with ${counted(sessions.length, 'session')}, ${working} at work; plexus ls lists them.`,
    open.length === 0
      ? 'Nothing waits for an answer.'
      : `${counted(open.length, 'question')} ${open.length === 1 ? 'waits' : 'wait'} for an answer; plexus pending shows ${open.length === 1 ? 'it' : 'them'}.`,
  ]
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
