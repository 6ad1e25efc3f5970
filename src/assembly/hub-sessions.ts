import { findCli } from '../child/launch/find-cli.ts'
import { configFolder } from '../child/launch/trust.ts'
import type { Config } from './config.ts'
import {
  type ConfigFile,
  floodLimitsFrom,
  questionLimitsFrom,
  type Rights,
  SETTING_OF,
} from './config-file.ts'
import { Metrics } from '../hub/metrics.ts'
import { NoticeSender } from '../hub/notice-sender.ts'
import { QuestionNotifier, unansweredQuestions } from '../hub/question-notifier.ts'
import { homeRules, homeRulesFile, repositoryRules } from '../hub/rules-files.ts'
import { SessionLog } from '../hub/session-log.ts'
import { pushSecret } from '../hub/tokens/operator-token.ts'
import { DeviceNotices } from '../notices/device-notices.ts'
import { type ApplicationKey, applicationKey } from '../push/application-key.ts'
import { LEASE_SECONDS } from '../base/limits.ts'
import type { Log } from '../base/log.ts'
import { rateLimited } from '../async/rate-limit.ts'
import { SpanSender } from '../otlp/span-sender.ts'
import type { HubEnvironment } from '../sessions/launch/hub-environment.ts'
import type { Store } from '../sessions/record/store.ts'
import { transcriptPathOf } from '../transcripts/transcript-path.ts'
import { adoptSessions, type Sessions } from './adopt-sessions.ts'

const TOO_LARGE = 'The open questions are too large together, so a question was denied.'
const TOO_MANY = 'Too many questions are open, so a question was queued.'

const IDLE_MS = 600_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

export interface HubSessionsParts {
  readonly config: Config
  readonly configFile: ConfigFile
  readonly rights: () => Rights
  readonly home: string
  readonly store: Store
  readonly log: Log
  readonly permitUrl: string
  readonly isAnswering: () => boolean
  /** Called when a question was opened or settled; must not throw. */
  readonly onQuestion?: (() => void) | undefined
}

/** The adopted sessions of a hub, its metrics and its notices. */
export async function hubSessions({
  config,
  configFile,
  rights,
  home,
  store,
  log,
  permitUrl,
  isAnswering,
  onQuestion,
}: HubSessionsParts): Promise<{ sessions: Sessions; metrics: Metrics; notices: HubNotices }> {
  const notices = hubNotices({ config, home, store, log })
  const metrics = new Metrics(store)
  const sessionLog = new SessionLog(log)
  const beyondLimit = rateLimited(log.warn)
  const notifier =
    configFile.on_question === undefined
      ? undefined
      : new QuestionNotifier({
          receiver: configFile.on_question,
          env: config.env,
          onError: (reason) => log.warn('on_question failed.', { reason }),
        })
  const endpoint = configFile.otlp_endpoint
  const spans =
    endpoint === undefined
      ? undefined
      : new SpanSender({ endpoint, onError: (reason) => log.warn('otlp_endpoint failed.', { reason }) })
  const sessions = await adoptSessions({
    store,
    environment: {
      ...environmentOf(config, rights, home, log),
      permitUrl: () => permitUrl,
      isAnswering,
      repeatDeniedMs: configFile.repeat_denied_seconds * 1_000,
      onStart: (spec) => sessionLog.processStarts(spec),
    },
    limits: { maxSessions: config.maxSessions, idleMs: IDLE_MS, maxOutputBytes: MAX_OUTPUT_BYTES },
    questionLimits: questionLimitsFrom(configFile),
    flood: floodLimitsFrom(configFile),
    onLimit: ({ id: session, owner }, { kind, limit }) =>
      beyondLimit(kind === 'refused' ? TOO_LARGE : TOO_MANY, { session, owner, setting: SETTING_OF[limit] }),
    onCreated: (session) => sessionLog.created(session),
    onStored: (session, events) => {
      metrics.observe(events)
      sessionLog.stored(session, events)
      spans?.stored(session, events, session.updatedAt)
      notices.sender.observe(session, events)
      for (const event of unansweredQuestions(events)) notifier?.notify(session, event)
      if (events.some(({ type }) => type === 'approval.opened' || type === 'approval.settled')) onQuestion?.()
    },
  })
  const endWatch = notices.sender.watchOpen((id) => sessions.desk.expiresAt(id))
  const close: Sessions['close'] = async (how) => {
    endWatch()
    notices.sender.close()
    await sessions.close(how)
    await spans?.close()
  }
  return { sessions: { ...sessions, close }, metrics, notices }
}

function environmentOf({ env }: Config, rights: () => Rights, home: string, log: Log): HubEnvironment {
  const folder = configFolder(env)
  return {
    home,
    env,
    leaseSeconds: LEASE_SECONDS,
    trusted: () => rights().trusted,
    rules: homeRules(home, log),
    rulesFile: homeRulesFile(home),
    repositoryRules: repositoryRules(log),
    findCli: () => findCli(env),
    transcriptOf: async (id) => (folder === undefined ? undefined : transcriptPathOf(folder, id)),
    openElsewhere: async (id) => {
      if (folder === undefined) return undefined
      const { runningSessions } = await import('../transcripts/running-elsewhere.ts')
      return (await runningSessions(folder)).get(id)?.pid
    },
    onError: (error) => log.error('An error in the background of a session.', { error }),
  }
}

/** The notices of a hub: what devices have chosen, and what sends it to them. */
export interface HubNotices {
  readonly settings: DeviceNotices
  readonly sender: NoticeSender
}

function hubNotices({
  config,
  home,
  store,
  log,
}: Pick<HubSessionsParts, 'config' | 'home' | 'store' | 'log'>): HubNotices {
  const rules = { allowsLoopback: config.pushesToLoopback }
  let made: Promise<ApplicationKey> | undefined
  const key = () => (made ??= pushSecret(home).then(applicationKey))
  const problem = rateLimited(log.warn)
  const sender = new NoticeSender({
    store,
    key,
    rules,
    onProblem: (device, reason) => problem('A push service did not take a notice.', { device, reason }),
    onError: (error) => log.error('A notice could not be sent.', { error }),
  })
  return {
    settings: new DeviceNotices({
      store: store.notices,
      publicKey: async () => (await key()).publicKey,
      rules,
    }),
    sender,
  }
}
