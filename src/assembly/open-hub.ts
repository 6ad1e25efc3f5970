import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { type Config, hubVariables } from './config.ts'
import { prepareHome } from '../hub/home-folder.ts'
import { takeHubLock } from '../hub/hub-lock.ts'
import { removeHubRecord, writeHubRecord } from '../hub/hub-record.ts'
import { busySessions, whenIdle } from '../hub/idle-exit.ts'
import { readLastPort, writeLastPort } from '../hub/last-port.ts'
import { enrolOperator } from '../hub/tokens/enrol-operator.ts'
import { operatorToken, operatorTokenPath, signingKey } from '../hub/tokens/operator-token.ts'
import type { HubAddress } from '../hub-client/hub-address.ts'
import type { Engine } from '../engine/engine.ts'
import type { Log } from '../base/log.ts'
import { lockFile } from '../store/sqlite/connection/file-lock.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import { isFree } from '../transports/http/free-port.ts'
import { Listener } from '../transports/http/listener.ts'
import { VERSION } from '../base/version.ts'
import type { ConfigFile } from './config-file.ts'
import type { HubWork, HubWorkParts } from './hub-work.ts'

/** What a client needs to find the hub. */
export interface Ready {
  readonly url: string
  readonly pid: number
  readonly socket: string
  readonly tokenFile: string
}

export interface OpenHub {
  readonly ready: Ready
  /** Calls operations from this process, with this token. */
  readonly calls: (token: string) => NonNullable<HubAddress['inProcess']>
  /** The verbs, for a face in this process. */
  readonly engine: () => Promise<Engine>
  /** Resolves once no session or client has needed it for the configured time. */
  readonly idle: () => Promise<'idle'>
  /** Ends cleanly; children keep running, unless the configuration says otherwise. */
  readonly close: () => Promise<void>
}

export interface OpenHubOptions extends Pick<HubWorkParts, 'onQuestion'> {
  /** The hub is part of `plexus mcp`, and ends with it. */
  readonly standalone?: boolean
}

/**
 * The hub of a home folder, in this process. If anything fails before it is ready, what was begun is undone.
 *
 * It is ready when it has the folder, the port and the store: from then on no request is refused. The code for sessions and
 * requests is many times larger than what is imported here. It is loaded after the hub is announced, and the children of an
 * earlier hub are adopted then. A request that comes sooner waits for both.
 */
export async function openHub(
  config: Config,
  log: Log,
  { standalone = false, onQuestion }: OpenHubOptions = {},
): Promise<OpenHub> {
  const home = await prepareHome(config.home, config.env['HOME'])
  const configFile = await configFileIn(home)
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
    const permitUrl = `${url}/mcp`
    const parts = { config, configFile, home, store, log, listener, permitUrl, signingKey: key, onQuestion }
    let work: Promise<HubWork> | undefined
    const begin = async () => {
      work ??= import('./hub-work.ts').then(({ beginWork }) => beginWork(parts))
      return (await work).answer()
    }
    undo.push(async () => (await work?.catch(() => undefined))?.close())
    if (standalone) await begin()
    listener.isReady = true
    undo.push(() => removeHubRecord(home))
    await writeHubRecord(home, {
      url,
      socket,
      pid: process.pid,
      version: VERSION,
      set: hubVariables(config),
      ...(standalone ? { standalone } : {}),
      ...(config.endChildren ? { endChildren: true } : {}),
      ...(config.exitWhenIdleSeconds === undefined ? {} : { background: true }),
    })
    log.info('The hub is ready.', { url, home, version: VERSION })
    const working = afterThisTurn(async () => {
      const { loadMcp } = await begin()
      // Whoever waits is answered first: nothing else is done while it is loaded, and that takes longer than an answer.
      await sleep(ANSWERS_FIRST_MS, undefined, { ref: false })
      // Only saves time: what could not be loaded now is loaded by the first request that needs it.
      await loadMcp().catch(() => {})
    })
    const idle = async () => {
      await working // a hub that cannot work ends like a hub that cannot start
      return whenIdle(config.exitWhenIdleSeconds, {
        sessions: () => busySessions(store),
        connections: () => listener.connections(),
      })
    }
    return {
      ready: { url, pid: process.pid, socket, tokenFile: operatorTokenPath(home) },
      engine: async () => (await begin()).engine,
      calls: (own) => async (call, options) => (await begin()).calls(own)(call, options),
      idle,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const ANSWERS_FIRST_MS = 50

/** Most home folders have none, and its schema takes longer to load than everything else that a start needs. */
async function configFileIn(home: string): Promise<ConfigFile | undefined> {
  if (!existsSync(join(home, 'config.json'))) return undefined
  const { readConfigFile } = await import('./config-file.ts')
  return readConfigFile(home)
}

/** Children that ask over HTTP know the port of the hub that started them, so its successor takes it if it can. */
async function portFor({ port }: Config, home: string): Promise<number> {
  const last = port === 0 ? await readLastPort(home) : undefined
  return last !== undefined && (await isFree(last)) ? last : port
}

/** Begins the work after this turn of the event loop, so that the hub is announced before more is loaded. */
function afterThisTurn(work: () => Promise<unknown>): Promise<unknown> {
  const done = setImmediate().then(work)
  done.catch(() => {}) // the caller that awaits it gets the error
  return done
}
