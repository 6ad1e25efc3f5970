import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { chmod, mkdir, open, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type App, type AppParts, createApp } from '../../src/assembly/app.ts'
import { StartOptions } from '../../src/child/launch/start-options.ts'
import type { CallContext } from '../../src/engine/engine.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { inFolder } from './filled-store.ts'
import type { Switched } from './switched.ts'
import { asCallerId } from '../../test/rig/tools/ids.ts'

/** A child that says what it is given to say in a FIFO of its folder, and hears whatever it is told. */
const TALKER = `#!/bin/sh
exec 3<&0
cat <&3 >/dev/null &
exec cat says
`
const ENV = { PATH: '/usr/bin:/bin' }

export const operator: CallContext = {
  caller: {
    id: asCallerId('operator'),
    kind: 'operator',
    name: 'operator',
    scopes: ['bypass'],
    person: true,
  },
}

export interface Hub extends App {
  readonly store: Store
  readonly folder: string
  /** Aborted when the work is done. */
  readonly over: AbortSignal
}

export interface Talker {
  readonly id: string
  /** The child prints these lines. */
  say(...lines: readonly object[]): Promise<void>
}

/** A hub on SQLite whose children say what they are given to say, for as long as the work goes on. */
export function withTalkers<T>(
  work: (hub: Hub, start: () => Promise<Talker>) => Promise<T>,
  onMoment?: AppParts['onMoment'],
  switched?: Switched,
): Promise<T> {
  return inFolder(async (path) => {
    const folder = await realpath(path)
    const over = new AbortController()
    const hub = { ...(await openHub(folder, onMoment, switched)), over: over.signal }
    const talkers: Awaited<ReturnType<typeof startTalker>>[] = []
    try {
      return await work(hub, async () => {
        const talker = await startTalker(hub, undefined, switched)
        talkers.push(talker)
        return talker
      })
    } finally {
      over.abort()
      for (const talker of talkers) await talker.hush()
      await hub.close({ endChildren: true })
      await hub.store.close()
    }
  })
}

/** A hub in this folder, as its process does it at its start. */
export async function openHub(
  folder: string,
  onMoment?: AppParts['onMoment'],
  { rules, storeOf = (store) => store }: Partial<Switched> = {},
): Promise<Omit<Hub, 'over'>> {
  const home = join(folder, 'home')
  await mkdir(home, { mode: 0o700, recursive: true })
  const store = storeOf(await openSqliteStore(join(home, 'plexus.db')))
  const environment = {
    home,
    env: ENV,
    leaseSeconds: 600,
    rules,
    trusted: () => [],
    findCli: async () => ({ path: join(folder, 'talker'), version: '2.1.197' }),
    transcriptOf: async () => undefined,
    openElsewhere: async () => undefined,
    onError: console.error,
  }
  const limits = { maxSessions: 1_000, idleMs: 600_000, maxOutputBytes: 64 << 20 }
  return {
    ...(await createApp({ store, environment, limits, questionLimits: NO_LIMIT, onMoment })),
    store,
    folder,
  }
}

/** The figures are for more questions than one session may have open. */
const NO_LIMIT = { perSession: 1e6, perOwner: 1e6, inAll: 1e6, bytesPerOwner: 1e12, bytesInAll: 1e12 }

let talkers = 0

/** A session in a turn, with a child; `prepare` may give it a past, `hush` ends the child. */
export async function startTalker(
  { folder, engine }: Omit<Hub, 'over'>,
  prepare: (session: Session) => Promise<void> = async () => {},
  { budget }: Partial<Switched> = {},
): Promise<Talker & { hush(): Promise<void> }> {
  const program = join(folder, 'talker')
  await writeFile(program, TALKER)
  await chmod(program, 0o700)
  const workingDirectory = join(folder, `project-${talkers++}`)
  await mkdir(workingDirectory)
  execFileSync('mkfifo', [join(workingDirectory, 'says')])
  const session = await engine.createSession(operator, {
    options: StartOptions.parse({ workingDirectory, budget }),
    timeoutMs: 3_600_000, // each question has its own limit, as in a session that a model started
  })
  await prepare(session)
  const { id } = session
  const { promptId } = await engine.startTurn(operator, { sessionId: id, content: 'go' })
  // For reading too, so that it opens whether or not the child has come to it.
  const says = await open(join(workingDirectory, 'says'), constants.O_RDWR)
  const say = (...lines: readonly object[]) =>
    says.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await say(echoOf(promptId)) // else it would be said again to a next child
  return { id, say, hush: () => says.close() }
}

function echoOf(uuid: string): object {
  return { type: 'user', message: { role: 'user', content: 'go' }, uuid, isReplay: true }
}

/** A question for the use of a tool. */
export function questionOf(name: string): object {
  const request = {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: { command: `npm test -- ${name} && git status --short`, description: 'Runs a part of the tests' },
    tool_use_id: `toolu_${name}`,
  }
  return { type: 'control_request', request_id: `request-${name}`, request }
}

/** What the tool said in the end, which closes its question. */
export function toolResultOf(name: string): object {
  const content = [{ type: 'tool_result', tool_use_id: `toolu_${name}`, content: 'ok', is_error: false }]
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null }
}
