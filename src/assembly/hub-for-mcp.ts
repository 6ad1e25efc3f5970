import { existsSync } from 'node:fs'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { isUsable } from '../hub/background/usable-hub.ts'
import type { StartedHub } from '../hub/background/start-hub.ts'
import { prepareHome } from '../hub/home-folder.ts'
import { type HubRecord, readHubRecord } from '../hub/hub-record.ts'
import { clientToken } from '../hub/tokens/client-tokens.ts'
import { operatorToken } from '../hub/tokens/operator-token.ts'
import { type HubAddress, NoHub } from '../hub-client/hub-address.ts'
import type { HubFinder } from '../hub-client/hub-connection.ts'
import type { Config } from './config.ts'
import type { OpenHub } from './open-hub.ts'
import { requireOutside } from './outside-session.ts'

export interface HubOptions {
  readonly config: () => Config
  readonly log: Log
  readonly as: string | undefined
  readonly standalone: boolean
  /** Called with the hub that is found, each time that it is looked up. */
  readonly onFound?: ((hub: HubRecord) => void) | undefined
}

export interface HubForMcp extends HubFinder {
  /** The same for a client that only watches: it starts no hub and creates nothing. */
  readonly onlooker: HubFinder
  readonly close: () => Promise<void>
}

/**
 * The hub of a home folder: the running hub, or a hub that is started when it is needed, in the background or, standalone, in
 * this process. Other clients may use that hub as well. The code that starts a hub is loaded only when a hub is started.
 */
export function hubForMcp({ config, log, as, standalone, onFound }: HubOptions): HubForMcp {
  let prepared: Promise<string> | undefined
  const home = () => {
    const { home: wanted, env } = config()
    return (prepared ??= prepareHome(wanted, env['HOME']))
  }
  let own: OpenHub | undefined
  const openHere = async (): Promise<StartedHub> => {
    try {
      const { openHub } = await import('./open-hub.ts')
      own = await openHub({ ...config(), port: 0 }, log, { standalone: true })
      return { hasEnded: () => false, lastLogLine: async () => '' }
    } catch (error) {
      // Another process was faster: wait for its hub.
      if (!(error instanceof AppError && error.code === 'in_use')) throw error
      return { hasEnded: () => true, lastLogLine: async () => error.message }
    }
  }
  const startElsewhere = async (port: number) => {
    const { startHub } = await import('../hub/background/start-hub.ts')
    const [, program = ''] = process.argv
    return startHub({ home: await home(), program, env: config().env, port })
  }
  const attach = async () => {
    const { attachHub } = await import('../hub/background/attach-hub.ts')
    const { isFree } = await import('../transports/http/free-port.ts')
    const start = standalone ? openHere : startElsewhere
    await attachHub({ home: await home(), port: config().port, isFree, start })
  }
  const findHub = async (mayUse: (hub: HubRecord) => Promise<boolean>): Promise<HubAddress> => {
    requireOutside(config().env)
    const record = await readHubRecord(await home())
    if (!record || !(await mayUse(record))) throw new NoHub(await home())
    onFound?.(record)
    const token = await (as === undefined ? operatorToken(await home()) : clientToken(await home(), as))
    const inProcess = record.pid === process.pid ? own?.calls(token) : undefined
    return { socket: record.socket, token, inProcess }
  }
  // It replaces no hub, so that it takes an older one as it is.
  const findAsOnlooker = async () => {
    if (!existsSync(config().home)) throw new NoHub(config().home)
    return findHub(async () => true)
  }
  let starting: Promise<void> | undefined
  return {
    find: () => findHub(isUsable),
    onlooker: { find: findAsOnlooker, onlooks: true },
    start: () => (starting ??= attach().finally(() => (starting = undefined))),
    close: async () => own?.close(),
  }
}
