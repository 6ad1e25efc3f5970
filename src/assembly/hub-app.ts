import { type App, createApp } from './app.ts'
import { findCli } from '../child/launch/find-cli.ts'
import { configFolder } from '../child/launch/trust.ts'
import type { Config } from './config.ts'
import { type ConfigFile, mostOpenFrom, SETTING_OF } from './config-file.ts'
import { Metrics } from '../hub/metrics.ts'
import { QuestionNotifier, unansweredQuestions } from '../hub/question-notifier.ts'
import { SessionLog } from '../hub/session-log.ts'
import type { Log } from '../base/log.ts'
import { rateLimited } from '../base/rate-limit.ts'
import type { Surroundings } from '../sessions/run/launch-spec.ts'
import type { Store } from '../sessions/record/store.ts'
import { runningSessions } from '../transcripts/running-elsewhere.ts'
import type { TranscriptIndex } from '../transcripts/transcript-index.ts'
import { transcriptPathOf } from '../transcripts/transcript-path.ts'

const TOO_LARGE = 'What is asked about is too large together, so a question was denied.'
const TOO_MANY = 'Too many questions are open, so a question waits in line.'

export const LEASE_SECONDS = 1_800
const IDLE_MS = 600_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

export interface AppWish {
  readonly config: Config
  readonly wishes: ConfigFile
  readonly home: string
  readonly store: Store
  readonly transcripts: TranscriptIndex | undefined
  readonly log: Log
  readonly permitUrl: string
  readonly isAnswering: () => boolean
}

/** The engine of a hub, and what it counts. */
export async function hubApp({
  config,
  wishes,
  home,
  store,
  transcripts,
  log,
  permitUrl,
  isAnswering,
}: AppWish): Promise<{ app: App; metrics: Metrics }> {
  const metrics = new Metrics(store)
  const sessions = new SessionLog(log)
  const beyondLimit = rateLimited(log.warn)
  const bell =
    wishes.on_question === undefined
      ? undefined
      : new QuestionNotifier({
          receiver: wishes.on_question,
          env: config.env,
          onError: (reason) => log.warn('on_question failed.', { reason }),
        })
  const app = await createApp({
    store,
    transcripts,
    around: {
      ...surroundings(config, wishes, home, log),
      permitUrl: () => permitUrl,
      isAnswering,
      onStart: (spec) => sessions.processStarts(spec),
    },
    limits: { maxSessions: config.maxSessions, idleMs: IDLE_MS, maxOutputBytes: MAX_OUTPUT_BYTES },
    permissionTimeoutMs: config.permissionTimeoutMs,
    carrier: config.carrier,
    relay: { command: process.execPath, args: [process.argv[1] ?? '', 'relay', '--home', home] },
    // Such a hub was started in the background, from wherever a client happened to be.
    needsFolder: config.exitWhenIdleSeconds !== undefined,
    mostOpen: mostOpenFrom(wishes),
    onLimit: ({ id: session, owner }, { kind, limit }) =>
      beyondLimit(kind === 'refused' ? TOO_LARGE : TOO_MANY, { session, owner, setting: SETTING_OF[limit] }),
    onCreated: (session) => sessions.created(session),
    onStored: (session, events) => {
      metrics.observe(events)
      sessions.stored(session, events)
      for (const event of unansweredQuestions(events)) bell?.notify(session, event)
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
