import type { Approval } from '../../approvals/approval.ts'
import type { SessionKey } from '../../base/ids.ts'
import { outcomeThen, type PastQuestion } from '../../rules/learning/past-question.ts'
import { rememberedFiles } from '../../rules/learning/remembered-files.ts'
import type { RulesNow } from '../../rules/rules-file.ts'
import { type JudgedSession, judgedSession } from '../../sessions/in-advance/judge-anew.ts'
import type { HubEnvironment } from '../../sessions/launch/hub-environment.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { diskFiles } from '../../shell/disk-files.ts'
import { ancestorSessions } from '../access/session-access.ts'
import { shortIdOf } from '../../approvals/short-id.ts'

export interface LearningDeps {
  readonly store: Store
  /** What the rules of this hub are, and where. */
  readonly environment: Pick<HubEnvironment, 'home' | 'env' | 'rules' | 'rulesFile'>
}

/** A question of the history, and its session as rules see it. */
export interface PastCall {
  readonly question: PastQuestion
  readonly judged: JudgedSession
}

interface Which {
  /** Asked since then, in ms since 1970. */
  readonly since: number
  readonly sessionIds?: readonly SessionKey[] | undefined
  readonly owner?: Session['owner'] | undefined
  /** The newest so many of them. */
  readonly max?: number | undefined
}

/**
 * The settled questions about tools, newest first, a page at a time: the memory that this needs does not grow with them, and
 * between two pages the hub does whatever else waits.
 */
export async function* pastCalls(deps: LearningDeps, which: Which): AsyncGenerator<Iterable<PastCall>> {
  const { since, max = Infinity, ...filter } = which
  const sessions = new PastSessions(deps)
  let before: Approval['id'] | undefined
  let count = 0
  for (;;) {
    const page = await deps.store.approvals.settled({ ...filter, before, limit: PAGE })
    const wanted = page.filter(({ openedAt }) => openedAt >= since).slice(0, max - count)
    const asking: (PastSession | undefined)[] = []
    // Known for all but the first question of a session, and then there is nothing to wait for.
    for (const { sessionId } of wanted)
      asking.push(sessions.known(sessionId) ?? (await sessions.read(sessionId)))
    count += wanted.length
    yield callsOf(wanted, asking)
    before = page.at(-1)?.id
    if (wanted.length < page.length || page.length < PAGE || count >= max) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The rules of the home folder at this moment. */
export function rulesNow({ environment }: LearningDeps): RulesNow | undefined {
  return environment.rules?.()
}

interface PastSession {
  readonly id: Session['id']
  /** What the short ids of its questions begin with. */
  readonly called: { readonly id: string; readonly name: string }
  readonly judged: JudgedSession
}

/**
 * Made one by one, as they are judged: of calls that live as long as their page, V8 soon makes all where only a full collection
 * frees them, and what they refer to stays with them.
 */
function* callsOf(
  approvals: readonly Approval[],
  asking: readonly (PastSession | undefined)[],
): Generator<PastCall> {
  let index = 0
  for (const approval of approvals) {
    const session = asking[index]
    index += 1
    const past = session && callOf(approval, session)
    if (past) yield past
  }
}

function callOf(approval: Approval, { called, judged }: PastSession): PastCall | undefined {
  const { status } = approval
  if (approval.kind !== 'tool' || status === 'pending') return undefined
  const { id, toolName, input, cwd, verdict, via, by } = approval
  const isByCaller = via !== 'rule' && via !== 'expiry'
  const { outcome, byOther } = outcomeThen(verdict, via)
  return {
    judged,
    question: {
      id,
      label: shortIdOf(approval, called) ?? id,
      at: approval.openedAt,
      call: { toolName, input, cwd },
      status,
      by,
      wasDenied: status === 'denied' && isByCaller,
      outcome,
      byOther,
    },
  }
}

/** Sessions as rules see them; each is read once. */
class PastSessions {
  readonly #deps: LearningDeps
  readonly #known = new Map<string, PastSession | undefined>()
  #last: PastSession | undefined
  readonly #files = rememberedFiles(diskFiles)

  constructor(deps: LearningDeps) {
    this.#deps = deps
  }

  known(id: Session['id']): PastSession | undefined {
    // Questions of one session mostly follow each other.
    if (this.#last?.id === id) return this.#last
    return (this.#last = this.#known.get(id))
  }

  async read(id: Session['id']): Promise<PastSession | undefined> {
    if (this.#known.has(id)) return undefined
    const { store, environment } = this.#deps
    const session = await store.sessions.get(id)
    const found = session && {
      id,
      called: { id, name: session.name ?? id.slice(0, 8) },
      judged: judgedSession(session, await ancestorSessions(store, session.parentId), {
        files: this.#files,
        home: environment.home,
        userHome: environment.env['HOME'],
        now: Date.now(),
      }),
    }
    if (this.#known.size >= MAX_SESSIONS) this.#known.clear()
    this.#known.set(id, found)
    return found
  }
}

const PAGE = 500
const MAX_SESSIONS = 2_000
