import { existsSync } from 'node:fs'
import type { Config } from './config.ts'
import { type HubAddress, NoHub } from '../hub-client/hub-address.ts'
import type { HubFinder } from '../hub-client/hub-connection.ts'
import { AppError } from '../base/errors.ts'
import { attachHub, isUsable } from '../hub/background/attach-hub.ts'
import { clientToken } from '../hub/tokens/client-tokens.ts'
import { prepareHome } from '../hub/home-folder.ts'
import { type HubRecord, readHubRecord } from '../hub/hub-record.ts'
import { type StartedHub, startHub } from '../hub/background/start-hub.ts'
import { operatorToken } from '../hub/tokens/operator-token.ts'
import type { Log } from '../base/log.ts'
import { isFree } from '../transports/http/free-port.ts'
import { requireOutside } from './outside-session.ts'
import { type OpenHub, openHub } from './open-hub.ts'

export interface HubWish {
  readonly config: () => Config
  readonly log: Log
  readonly as: string | undefined
  readonly standalone: boolean
  /** Told of the hub that is spoken to, each time that it is looked up. */
  readonly onFound?: ((hub: HubRecord) => void) | undefined
}

export interface HubAtHand extends HubFinder {
  /** The same for what only looks on: none is started for it, and nothing made. */
  readonly onlooker: HubFinder
  readonly close: () => Promise<void>
}

/**
 * The hub of a home folder: the one that runs, or one that is started when it is needed, in the background or, standalone,
 * in this process. Either way it is spoken to over its socket, and others may use it as well.
 */
export function hubOf({ config, log, as, standalone, onFound }: HubWish): HubAtHand {
  let prepared: Promise<string> | undefined
  const home = () => {
    const { home: wanted, env } = config()
    return (prepared ??= prepareHome(wanted, env['HOME']))
  }
  let own: OpenHub | undefined
  const openHere = async (): Promise<StartedHub> => {
    try {
      own = await openHub({ ...config(), port: 0 }, log, { standalone: true })
      return { hasEnded: () => false, lastLogLine: async () => '' }
    } catch (error) {
      // Another was a little faster: that one is waited for.
      if (!(error instanceof AppError && error.code === 'in_use')) throw error
      return { hasEnded: () => true, lastLogLine: async () => error.message }
    }
  }
  const startElsewhere = async (port: number) => {
    const [, program = ''] = process.argv
    return startHub({ home: await home(), program, env: config().env, port })
  }
  const look = async (): Promise<HubAddress> => {
    requireOutside(config().env)
    const record = await readHubRecord(await home())
    if (!record || !isUsable(record)) throw new NoHub(await home())
    onFound?.(record)
    const token = as === undefined ? operatorToken(await home()) : clientToken(await home(), as)
    return { socket: record.socket, token: await token }
  }
  let seen: { readonly address: HubAddress; readonly at: number } | undefined
  let starting: Promise<void> | undefined
  const find = async () => {
    if (!seen || performance.now() - seen.at > SEEN_MS)
      seen = { address: await look(), at: performance.now() }
    return seen.address
  }
  const findOnlooking = async () => {
    if (!existsSync(config().home)) throw new NoHub(config().home)
    return find()
  }
  return {
    find,
    onlooker: { find: findOnlooking, onlooks: true },
    start: async () => {
      seen = undefined
      starting ??= home()
        .then((path) =>
          attachHub({
            home: path,
            port: config().port,
            isFree,
            start: standalone ? openHere : startElsewhere,
          }),
        )
        .finally(() => (starting = undefined))
      await starting
    },
    close: async () => own?.close(),
  }
}

/** A tool makes several calls: one look is enough for them. Where it is no longer true, nobody answers, and one looks again. */
const SEEN_MS = 1_000
