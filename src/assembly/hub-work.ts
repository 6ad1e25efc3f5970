import { openHubRecord } from '../hub/record/hub-record.ts'
import { retentionAges, removeExpired } from '../hub/retention.ts'
import { ConfigFile, currentRights } from './config-file.ts'
import { LEASE_SECONDS } from '../base/limits.ts'
import { hubSessions, type HubSessionsParts } from './hub-sessions.ts'
import type { RequestParts, Requests } from './hub-requests.ts'

const GRACE_MS = 3_000
const CLEAN_EVERY_MS = 3_600_000

export interface HubWorkParts
  extends
    Omit<HubSessionsParts, 'configFile' | 'rights' | 'isAnswering'>,
    Pick<RequestParts, 'listener' | 'signingKey'> {
  /** Undefined if the home folder has none. */
  readonly configFile: ConfigFile | undefined
}

/** What a hub does with its sessions and its requests. */
export interface HubWork {
  /** Begins to answer requests; until it resolves, they wait. */
  readonly answer: () => Promise<Requests>
  /** Children keep running, unless the configuration says otherwise. */
  readonly close: () => Promise<void>
}

/** When it resolves, every child that an earlier hub left is adopted. */
export async function beginWork(given: HubWorkParts): Promise<HubWork> {
  const rights = currentRights(given.home, given.log)
  const parts = { ...given, rights, configFile: given.configFile ?? ConfigFile.parse({}) }
  const { config, configFile, home, store, listener, log } = parts
  // A child is asked to connect only once the hub answers.
  const { sessions, metrics, notices } = await hubSessions({
    ...parts,
    isAnswering: () => listener.isAnswering,
  })
  const { supervisor } = sessions
  const { env } = config
  const record = await openHubRecord({ home, record: store.record, settings: configFile, env, log })
  const removeOld = async () => {
    await removeExpired({ store, home, supervisor }, retentionAges(configFile.keep_days))
    await record.cut()
  }
  const clean = () => void removeOld().catch((error: unknown) => log.warn('Cleaning up failed.', { error }))
  const cleaner = setInterval(clean, CLEAN_EVERY_MS).unref()
  let requests: Promise<Requests> | undefined
  const beginAnswering = async () => {
    const { hubRequests } = await import('./hub-requests.ts')
    const answering = await hubRequests({ ...parts, sessions, metrics, notices, recordKey: record.verifier })
    listener.answerWith(answering.handler)
    clean()
    return answering
  }
  return {
    answer: () => (requests ??= beginAnswering()),
    close: async () => {
      clearInterval(cleaner)
      const open = await requests?.catch(() => undefined)
      const { length: living } = await store.runs.live()
      open?.detach()
      // Before the connections: a child that waits in a call must not get an error for its question.
      await sessions.close(config)
      if (living > 0 && !config.endChildren) log.info(staySentence(living), { processes: living })
      await listener.close(GRACE_MS)
      open?.close()
      await record.close()
    },
  }
}

/** Logged because a person who stops a hub may think that its processes have ended too. */
function staySentence(processes: number): string {
  const what = processes === 1 ? "One session's process stays" : `The processes of ${processes} sessions stay`
  const minutes = LEASE_SECONDS / 60
  return `${what}, for ${minutes} minutes without a hub; the next hub continues with them, and a hub that is started and stopped with --end-children ends them.`
}
