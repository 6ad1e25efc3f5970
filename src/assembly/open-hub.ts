import { join } from 'node:path'
import { configFolder } from '../child/launch/trust.ts'
import { type Config, fixedBy } from './config.ts'
import { readConfigFile } from './config-file.ts'
import { retentionAges, removeExpired } from '../hub/retention.ts'
import { tokenVerifier } from '../hub/tokens/client-tokens.ts'
import { ConnectionsFile } from '../hub/connections-file.ts'
import { prepareHome } from '../hub/home-folder.ts'
import { takeHubLock } from '../hub/hub-lock.ts'
import { removeHubRecord, writeHubRecord } from '../hub/hub-record.ts'
import { whenIdle } from '../hub/idle-exit.ts'
import { readLastPort, writeLastPort } from '../hub/last-port.ts'
import { enrolOperator, operatorToken, operatorTokenPath, signingKey } from '../hub/tokens/operator-token.ts'
import type { Log } from '../base/log.ts'
import { rateLimited } from '../base/rate-limit.ts'
import { createSigner } from '../text/signed-text.ts'
import { lockFile } from '../store/sqlite/connection/file-lock.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import { TranscriptIndex } from '../transcripts/transcript-index.ts'
import type { HubAddress } from '../hub-client/hub-address.ts'
import { inProcessCalls } from '../transports/operation/operation-by-name.ts'
import { httpHandler } from '../transports/http/http-server.ts'
import { isFree } from '../transports/http/free-port.ts'
import { Listener } from '../transports/http/listener.ts'
import { mcpHandler } from '../transports/mcp-http/mcp-http.ts'
import type { Refused } from '../transports/refused-call.ts'
import { VERSION } from '../base/version.ts'
import { hubApp, LEASE_SECONDS } from './hub-app.ts'

const GRACE_MS = 3_000
/** Lines a minute: who has a token may be refused more often than who has none. */
const MOST_REFUSED = 200
const CLEAN_EVERY_MS = 3_600_000

/** What others need to find it. */
export interface Ready {
  readonly url: string
  readonly pid: number
  readonly socket: string
  readonly tokenFile: string
}

export interface OpenHub {
  readonly ready: Ready
  /** For whoever calls operations from this process, with this token. */
  readonly calls: (token: string) => NonNullable<HubAddress['inProcess']>
  /** Resolves once nobody has needed it for as long as the configuration says. */
  readonly idle: () => Promise<'idle'>
  /** In good order; children stay, unless the configuration says otherwise. */
  readonly close: () => Promise<void>
}

/** The hub of a home folder, in this process. Whatever goes wrong before it is ready undoes what was begun. */
export async function openHub(config: Config, log: Log, { standalone = false } = {}): Promise<OpenHub> {
  const home = await prepareHome(config.home, config.env['HOME'])
  const wishes = await readConfigFile(home)
  await takeHubLock(home, lockFile)
  const [token, key] = [await operatorToken(home), await signingKey(home)]
  const socket = join(home, 'hub.sock')
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.splice(0).toReversed())
      await step().catch((error: unknown) => log.error('The hub did not end cleanly.', { error }))
  }
  try {
    const listener = await Listener.open({ port: await portFor(config, home), socket })
    undo.push(() => listener.close(0))
    await writeLastPort(home, listener.port)
    const store = await openSqliteStore(join(home, 'plexus.db'), { recentEvents: config.eventBufferSize })
    undo.push(() => store.close())
    await enrolOperator(store.callers, token)
    const url = `http://127.0.0.1:${listener.port}`
    // A child is told to connect when there is somebody to answer.
    let isAnswering = false
    const folder = configFolder(config.env)
    const transcripts = folder === undefined ? undefined : new TranscriptIndex(folder)
    undo.push(async () => transcripts?.close())
    const { app, metrics } = await hubApp({
      config,
      wishes,
      home,
      store,
      transcripts,
      log,
      permitUrl: `${url}/mcp`,
      isAnswering: () => isAnswering,
    })
    undo.push(() => listener.close(GRACE_MS))
    // Before the connections: a child that waits in a call must not be told that its question has failed.
    undo.push(async () => {
      const { length: living } = await store.runs.live()
      await app.close(config)
      if (living > 0 && !config.endChildren) log.info(staySentence(living), { processes: living })
    })
    const kept = await ConnectionsFile.open(home)
    const refusedCall = rateLimited(log.warn, { maxLines: MOST_REFUSED })
    const onRefused = (refused: Refused) => refusedCall('A call was refused.', { ...refused })
    const identify = tokenVerifier(store.callers, home, wishes.scopes)
    listener.answerWith(
      httpHandler({
        engine: app.engine,
        identify,
        foundAtWork: app.foundAtWork,
        metrics: () => metrics.text(),
        log,
        onRefused,
        mcp: mcpHandler(app.engine, {
          // The next hub has the same, so a form that this one has put is answered there.
          closing: listener.closing,
          foundAtWork: app.foundAtWork,
          signer: createSigner(key),
          kept,
          onError: (error) => log.error('A call of MCP failed.', { error }),
          onRefused,
        }),
      }),
    )
    isAnswering = true
    undo.push(() => removeHubRecord(home))
    await writeHubRecord(home, {
      url,
      socket,
      pid: process.pid,
      version: VERSION,
      set: fixedBy(config),
      ...(standalone ? { standalone } : {}),
      ...(config.endChildren ? { endChildren: true } : {}),
    })
    const clean = () =>
      void removeExpired({ store, home, supervisor: app.supervisor }, retentionAges(wishes.keep_days)).catch(
        (error: unknown) => log.warn('Cleaning up failed.', { error }),
      )
    clean()
    const cleaner = setInterval(clean, CLEAN_EVERY_MS).unref()
    undo.push(async () => clearInterval(cleaner))
    log.info('The hub is ready.', { url, home, version: VERSION })
    const idle = () =>
      whenIdle(config.exitWhenIdleSeconds, {
        sessions: async () => {
          const { running, waiting } = await store.sessions.countByStatus()
          return running + waiting
        },
        connections: () => listener.connections(),
      })
    const onError = (error: unknown, method: string) => log.error('A call failed.', { method, error })
    return {
      ready: { url, pid: process.pid, socket, tokenFile: operatorTokenPath(home) },
      calls: (own) => inProcessCalls({ identify, engine: app.engine, onError, onRefused }, own),
      idle,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Who stops a hub may think that all has ended with it. */
function staySentence(processes: number): string {
  const who = processes === 1 ? "One session's process stays" : `The processes of ${processes} sessions stay`
  const minutes = LEASE_SECONDS / 60
  return `${who}, for ${minutes} minutes without a hub; the next hub goes on with them, and one that is started and stopped with --end-children ends them.`
}

/** Children that ask over HTTP know the port of the hub that started them, so its successor takes it if it can. */
async function portFor({ port }: Config, home: string): Promise<number> {
  const last = port === 0 ? await readLastPort(home) : undefined
  return last !== undefined && (await isFree(last)) ? last : port
}
