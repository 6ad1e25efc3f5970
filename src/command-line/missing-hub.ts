import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../base/errors.ts'
import { LEASE_SECONDS } from '../base/limits.ts'
import { configFolder } from '../child/launch/trust.ts'
import { liveRuns } from '../child/process/live-runs.ts'
import { NoHub } from '../hub-client/hub-address.ts'
import { readTerminalStatuses, type TerminalStatus } from '../terminals/status-files.ts'
import type { Env } from '../assembly/config.ts'

/** No hub runs, and this command starts none. Its sentence says what is in the home folder all the same. */
export class MissingHub extends AppError {
  constructor(sentence: string, cause: unknown) {
    super('busy', sentence, { cause })
  }
}

/** The error of a command that found no hub; any other error stays as it is. */
export async function missingHubError(
  error: unknown,
  home: () => Promise<string>,
  env: Env,
): Promise<unknown> {
  return error instanceof NoHub
    ? new MissingHub(missingHubSentence(await homeFacts(await home(), env)), error)
    : error
}

export interface HomeFacts {
  /** Sessions whose process lives without a hub. */
  readonly alive: number
  /** A hub has run here, so there may be sessions to see. */
  readonly wasUsed: boolean
  /** A plain `claude` in a terminal that waits for an answer. */
  readonly waitingTerminals: number
}

/** From files alone: a session that waits for a hub must not be taken for none. */
export async function homeFacts(home: string, env: Env): Promise<HomeFacts> {
  const [runs, terminals] = await Promise.all([liveRuns(home), terminalsOf(env)])
  return {
    alive: runs.filter(({ childLives }) => childLives).length,
    wasUsed: existsSync(join(home, 'plexus.db')),
    waitingTerminals: terminals.filter(({ status }) => status === 'waiting').length,
  }
}

async function terminalsOf(env: Env): Promise<TerminalStatus[]> {
  const folder = configFolder(env)
  return folder === undefined ? [] : readTerminalStatuses(folder)
}

/** Pure. */
export function missingHubSentence(facts: HomeFacts): string {
  const terminals = waitingSentence(facts)
  return terminals === undefined ? sessionsSentence(facts) : `${sessionsSentence(facts)} ${terminals}`
}

/** No hub lists them now; what they ask already is asked there only. */
export function waitingSentence({
  waitingTerminals,
}: Pick<HomeFacts, 'waitingTerminals'>): string | undefined {
  if (waitingTerminals === 0) return undefined
  const [wait, lists] =
    waitingTerminals === 1
      ? ['1 terminal waits for an answer in its own dialog', 'lists it']
      : [`${waitingTerminals} terminals wait for an answer in their own dialogs`, 'lists them']
  return `${wait}; plexus serve ${lists} here too.`
}

function sessionsSentence({ alive, wasUsed }: HomeFacts): string {
  if (alive > 0) {
    const [sessions, they] =
      alive === 1
        ? ['1 session is alive and waits', 'it ends']
        : [`${alive} sessions are alive and wait`, 'they end']
    return `No hub runs, but ${sessions} for one: plexus serve brings it back (${they} after ${LEASE_SECONDS / 60} minutes without one).`
  }
  return wasUsed
    ? 'No hub runs, so no session is at work; plexus serve runs one, and then plexus ls --all lists what was; plexus start begins a session.'
    : 'No hub runs, so no session is at work; plexus start begins one.'
}
