import { join } from 'node:path'
import { type App, createApp } from '../app.ts'
import { findCli } from '../child/find-cli.ts'
import { configFolder } from '../child/trust.ts'
import { type Config, type ConfigFile, configFrom, type Env, readConfigFile } from '../config.ts'
import { cleanUp, USUAL_AGES } from '../hub/clean-up.ts'
import { prepareHome } from '../hub/home-folder.ts'
import { takeHubLock } from '../hub/hub-lock.ts'
import { removeHubRecord, writeHubRecord } from '../hub/hub-record.ts'
import { whenIdle } from '../hub/idle.ts'
import { lastPort, noteLastPort } from '../hub/last-port.ts'
import { Metrics } from '../hub/metrics.ts'
import { QuestionBell } from '../hub/question-bell.ts'
import { enrolOperator, identityOfToken, operatorToken, operatorTokenPath } from '../hub/tokens.ts'
import { createLog, type Log } from '../log.ts'
import type { Surroundings } from '../sessions/prepare-run.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { runningSessions } from '../transcripts/running-elsewhere.ts'
import { TranscriptIndex } from '../transcripts/transcript-index.ts'
import { transcriptPathOf } from '../transcripts/transcript-path.ts'
import { httpHandler } from '../transports/http-server.ts'
import { isFree, Listener } from '../transports/listener.ts'
import { mcpHandler } from '../transports/mcp-http.ts'
import { VERSION } from '../version.ts'
import { stopSignal } from './stop-signal.ts'

const LEASE_SECONDS = 1_800
const IDLE_MS = 600_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const GRACE_MS = 3_000
const CLEAN_EVERY_MS = 3_600_000

/** Runs the hub until it is told to stop. Whatever goes wrong before it is ready undoes what was begun. */
export async function serve(env: Env, flags: Readonly<Record<string, unknown>>): Promise<void> {
  const stopped = stopSignal()
  const config = configFrom(env, flags)
  const home = await prepareHome(config.home, config.env['HOME'])
  const wishes = await readConfigFile(home)
  await takeHubLock(home)
  const token = await operatorToken(home)
  const log = createLog(config.logLevel)
  const socket = join(home, 'hub.sock')
  failQuietly(log)
  const undo: (() => Promise<unknown>)[] = []
  try {
    const listener = await Listener.open({ port: await portFor(config, home), socket })
    undo.push(() => listener.close(0))
    await noteLastPort(home, listener.port)
    const store = await openSqliteStore(join(home, 'plexus.db'), { recentEvents: config.eventBufferSize })
    undo.push(() => store.close())
    await enrolOperator(store.callers, token)
    // A child is told to connect when there is somebody to answer.
    let permitUrl: string | undefined
    const folder = configFolder(config.env)
    const transcripts = folder === undefined ? undefined : new TranscriptIndex(folder)
    undo.push(async () => transcripts?.close())
    const { app, metrics } = await appOf({
      config,
      wishes,
      home,
      store,
      transcripts,
      log,
      permitUrl: () => permitUrl,
    })
    undo.push(() => listener.close(GRACE_MS))
    // Before the connections: a child that waits in a call must not be told that its question has failed.
    undo.push(() => app.close({ endChildren: false }))
    listener.answerWith(
      httpHandler({
        engine: app.engine,
        identify: (given, how) => identityOfToken(store.callers, given, how),
        metrics: () => metrics.text(),
        log,
        mcp: mcpHandler(app.engine, (given) => identityOfToken(store.callers, given, { model: true }), {
          closing: listener.closing,
          onError: (error) => log.error('A call of MCP failed.', { error }),
          onRefused: (refused) => log.warn('A call was refused.', { ...refused }),
        }),
      }),
    )
    const url = `http://127.0.0.1:${listener.port}`
    permitUrl = `${url}/mcp`
    undo.push(() => removeHubRecord(home))
    await writeHubRecord(home, { url, socket, pid: process.pid, version: VERSION })
    const clean = () =>
      void cleanUp(store, home, USUAL_AGES).catch((error: unknown) =>
        log.warn('Cleaning up failed.', { error }),
      )
    clean()
    const cleaner = setInterval(clean, CLEAN_EVERY_MS).unref()
    undo.push(async () => clearInterval(cleaner))
    announce(flags['json'] === true, { url, pid: process.pid, socket, tokenFile: operatorTokenPath(home) })
    log.debug('The hub is ready.', { url, home, version: VERSION })
    const idle = whenIdle(config.exitWhenIdleSeconds, {
      sessions: async () => {
        const { running, waiting } = await store.sessions.countByStatus()
        return running + waiting
      },
      connections: () => listener.connections(),
    })
    log.debug('The hub ends.', { reason: await Promise.race([stopped, idle]) })
  } finally {
    for (const step of undo.toReversed())
      await step().catch((error: unknown) => log.error('The hub did not end cleanly.', { error }))
  }
}

/** A fault of ours goes into the log, without secrets, and ends the hub: the next one goes on where this one was. */
function failQuietly(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.error('The hub failed.', { error })
    process.exit(1)
  })
  // Whoever started the hub may have gone, and their end of the pipes with them.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** Children that ask over HTTP know the port of the hub that started them, so its successor takes it if it can. */
async function portFor({ port }: Config, home: string): Promise<number> {
  const last = port === 0 ? await lastPort(home) : undefined
  return last !== undefined && (await isFree(last)) ? last : port
}

interface AppWish {
  readonly config: Config
  readonly wishes: ConfigFile
  readonly home: string
  readonly store: Store
  readonly transcripts: TranscriptIndex | undefined
  readonly log: Log
  readonly permitUrl: () => string | undefined
}

async function appOf({
  config,
  wishes,
  home,
  store,
  transcripts,
  log,
  permitUrl,
}: AppWish): Promise<{ app: App; metrics: Metrics }> {
  const metrics = new Metrics(store)
  const bell =
    wishes.on_question === undefined
      ? undefined
      : new QuestionBell({
          receiver: wishes.on_question,
          env: config.env,
          onError: (reason) => log.warn('on_question failed.', { reason }),
        })
  const app = await createApp({
    store,
    transcripts,
    around: { ...surroundings(config, wishes, home, log), permitUrl },
    limits: { maxSessions: config.maxSessions, idleMs: IDLE_MS, maxOutputBytes: MAX_OUTPUT_BYTES },
    permissionTimeoutMs: config.permissionTimeoutMs,
    carrier: config.carrier,
    onStored: (session, events) => {
      metrics.observe(events)
      for (const event of events) if (event.type === 'approval.opened') bell?.ring(session, event)
    },
  })
  return { app, metrics }
}

function surroundings({ env }: Config, { trusted }: ConfigFile, home: string, log: Log): Surroundings {
  const folder = configFolder(env)
  return {
    home,
    env,
    leaseSeconds: LEASE_SECONDS,
    trusted,
    findCli: () => findCli(env),
    transcriptOf: async (id) => (folder === undefined ? undefined : transcriptPathOf(folder, id)),
    openElsewhere: async (id) =>
      folder === undefined ? undefined : (await runningSessions(folder)).get(id)?.pid,
    onError: (error) => log.error('Something went wrong behind a session.', { error }),
  }
}

interface Ready {
  readonly url: string
  readonly pid: number
  readonly socket: string
  readonly tokenFile: string
}

/** stdout is for programs; a person reads stderr. */
function announce(json: boolean, ready: Ready): void {
  if (json) process.stdout.write(`${JSON.stringify(ready)}\n`)
  else process.stderr.write(`plexus: the hub is at ${ready.url}, its token is in ${ready.tokenFile}\n`)
}
