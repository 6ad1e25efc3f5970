import { z } from 'zod'
import { Answer } from '../approvals/answer.ts'
import type { Approval } from '../approvals/approval.ts'
import type { Desk } from '../approvals/desk.ts'
import { questionsOf } from '../approvals/question.ts'
import { ruleText, suggestedRules } from '../approvals/suggested-rules.ts'
import { mayCreate, type Verb } from '../callers/access-rules.ts'
import { ALWAYS_SET } from '../child/launch/child-environment.ts'
import { SESSION_MARK } from '../system/session-mark.ts'
import { deniedServers } from '../child/launch/denied-servers.ts'
import { PERMIT_TOOL, type Relay, relayConfig } from '../child/launch/mcp-servers.ts'
import type { StartOptions } from '../child/launch/start-options.ts'
import { requireFullPath } from '../child/launch/working-directory.ts'
import { AppError } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import { definedFields } from '../base/defined-fields.ts'
import { PERMISSION_MODES } from '../base/permission-modes.ts'
import type { LiveSession } from '../sessions/run/live-session.ts'
import { followPages, readAs, readPage } from '../sessions/record/read-events.ts'
import { readTurn } from '../sessions/record/read-turn.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Supervisor } from '../sessions/supervisor.ts'
import type { Store } from '../sessions/record/store.ts'
import { branchesFrom } from '../tree/lineage.ts'
import { answerFor, questionFor } from './answer-question.ts'
import {
  ancestorsOf,
  MAX_DEPTH,
  parentOf,
  requireMode,
  requireNoBypass,
  sessionFor,
} from './access/session-access.ts'
import { listConversations, type Transcripts } from './conversations.ts'
import { historyFor } from './earlier-turns.ts'
import { forkFor, PERMISSION_TIMEOUT_MS, requireTranscripts } from './fork-session.ts'
import { narrowed } from './access/narrow-options.ts'
import { escalateFor } from './escalate-question.ts'
import { decisionsFor } from './list-decisions.ts'
import type { Asking, CreateSession, Engine, PendingQuestion, CallContext } from './engine.ts'
import { endOf } from './access/parent-notice.ts'
import { requireAskable } from './access/ask-target.ts'
import { pendingFor } from './list-pending.ts'
import { visibleRoot, visibleTree } from './access/visible-tree.ts'
import { visibleSessions } from './access/visible-sessions.ts'
import { waitForNeed } from './wait-for-sessions.ts'
import { commandHint, promptOrCommand, requireNoUrls } from './prompt-or-command.ts'

export interface EngineParts {
  readonly store: Store
  readonly supervisor: Supervisor
  readonly desk: Desk
  readonly transcripts?: Transcripts | undefined
  /** How long a question waits in a session that a model starts, unless it says so itself; a person's waits for ever. */
  readonly permissionTimeoutMs?: number | undefined
  /** How children ask whose start options do not say. */
  readonly carrier?: StartOptions['carrier']
  /** Nobody chose the folder that this process is in: a session has to say where it works. */
  readonly needsFolder?: boolean | undefined
  /** How this program is run as a relay for those that others start. */
  readonly relay?: Relay | undefined
}

/** The verbs, done here: each finds the session that the caller may touch, and hands on. */
export function createEngine(parts: EngineParts): Engine & Asking {
  const { supervisor } = parts
  const store = withoutLine(parts.store, parts.desk)
  const find = ({ caller }: CallContext, verb: Verb, sessionId: string) =>
    sessionFor(store, caller, verb, sessionId)
  /** A session that looks at one which it started need not be woken for what it sees. */
  const seenBy = async ({ caller }: CallContext, session: Session): Promise<Session> => {
    const news = caller.kind === 'session' && caller.name === session.parentId && endOf(session)
    if (news && session.config.wakeParent) await (await supervisor.wake(caller.name)).noteSeen(news)
    return session
  }
  const live = async (who: CallContext, verb: Verb, sessionId: string) =>
    supervisor.wake((await find(who, verb, sessionId)).id)

  return {
    createSession: (who, input) => createSession(parts, who, input),
    startTurn: async (who, { sessionId, ...input }) => {
      const said = promptOrCommand('content', input)
      requireNoUrls(who.caller, input.content)
      const session = await live(who, 'say', sessionId)
      const started = await session.say('command' in said ? said : said.content)
      return { ...started, ...definedFields({ hint: commandHint(input.content) }) }
    },
    getSession: async (who, { sessionId }) => seenBy(who, await find(who, 'read', sessionId)),
    listSessions: ({ caller }, { status, limit = 50, before }) =>
      visibleSessions(store, caller, { status, before, limit: within(limit, MAX_LIST) }),
    listConversations: ({ caller }, input) =>
      listConversations({ store, transcripts: parts.transcripts }, caller, input),
    listTurns: async (who, { sessionId }) => store.turns.list((await find(who, 'read', sessionId)).id),
    readEvents: async (who, { sessionId, after, reader, limit = 100 }) => {
      const { id } = await find(who, 'read', sessionId)
      const most = within(limit, MAX_PAGE)
      if (reader !== undefined) return readAs(store, id, { reader, from: after, limit: most })
      return readPage(store, id, after ?? 0, most)
    },
    readTurn: async (who, { sessionId, limit = 100, ...wish }) =>
      readTurn(store, await seenBy(who, await find(who, 'read', sessionId)), {
        ...wish,
        limit: within(limit, MAX_PAGE, 0),
      }),
    async *followEvents(who, { sessionId, after }) {
      const { id } = await find(who, 'read', sessionId)
      const signal = who.signal ?? new AbortController().signal
      yield* followPages(store, supervisor.doorbells, id, { after, signal })
    },
    waitFor: async (who, input) => {
      const found = await waitForNeed({ store, supervisor }, who, input)
      for (const session of found) await seenBy(who, session)
      return found
    },
    pending: async (who, input) =>
      (await pendingFor(store, who.caller, input)).map((approval) => inWords(parts.desk, approval)),
    getApproval: async ({ caller }, named) =>
      inWords(parts.desk, (await questionFor(parts, caller, named, 'read')).approval),
    decisions: ({ caller }, input) => decisionsFor(parts, caller, input),
    ask: async (who, asked, gone) => {
      if (who.caller.kind !== 'session')
        throw new AppError('forbidden', 'Only a child session asks, and only for itself.')
      const session = await live(who, 'ask', who.caller.name)
      return session.ask(asked, { gone, ended: who.signal })
    },
    answer: ({ caller }, { approvalId, sessionId, ...said }) =>
      answerFor(parts, caller, { approvalId, sessionId }, parseInput(Answer, said)),
    escalate: ({ caller }, input) => escalateFor(parts, caller, input),
    listGrants: async (who, { sessionId }) => store.grants.ofSession((await find(who, 'read', sessionId)).id),
    revokeGrant: async (who, { sessionId, grantId }) => {
      const { id } = await find(who, 'answer', sessionId)
      const grants = await store.grants.ofSession(id)
      if (!grants.some((grant) => grant.id === grantId))
        throw new AppError('not_found', `Nothing is remembered under ${grantId}; list what is.`)
      await supervisor.revoke(id, grantId)
      return grants.filter((grant) => grant.id !== grantId)
    },
    interrupt: async (who, { sessionId }) => {
      const session = await live(who, 'interrupt', sessionId)
      await session.interrupt()
      return seenBy(who, session.session)
    },
    setMode: async (who, { sessionId, mode, interrupt }) => {
      const { id } = await find(who, 'change', sessionId)
      await requireMode(store, who.caller, parseInput(Mode, mode))
      const session = await supervisor.wake(id)
      if (interrupt) await endTurnFor(mode, session)
      await session.setMode(mode)
      return session.session
    },
    setModel: async (who, { sessionId, model }) => {
      const session = await live(who, 'change', sessionId)
      await session.setModel(model)
      return session.session
    },
    fork: (who, input) => forkFor(parts, who, input),
    tree: async (who, { sessionId }) => {
      const { headNode } = await find(who, 'read', sessionId)
      const root = await visibleRoot(store, who.caller, headNode)
      return root ? visibleTree(store, who.caller, await branchesFrom(store.nodes, root)) : []
    },
    history: ({ caller }, { sessionId }) =>
      historyFor({ store, transcripts: parts.transcripts }, caller, sessionId),
    permitConfig: async (who, { sessionId }) => {
      const session = await live(who, 'change', sessionId)
      if (!parts.relay)
        throw new AppError('invalid_input', 'There is no program here that a claude could ask through.')
      const { url, token } = await session.permitOutside()
      const { id, config } = session.session
      return {
        mcpConfig: relayConfig(parts.relay, { sessionId: id, token, nested: config.nested === true }),
        args: [
          `--permission-prompt-tool=${PERMIT_TOOL}`,
          `--settings=${JSON.stringify({ deniedMcpServers: deniedServers(url, true), env: ALWAYS_SET })}`,
        ],
        env: { ...ALWAYS_SET, [SESSION_MARK]: id },
      }
    },
    stopSession: async (who, { sessionId }) => {
      const session = await live(who, 'stop', sessionId)
      await session.stopAndStay()
      return seenBy(who, session.session)
    },
  }
}

/** What waits in line is open for nobody yet. */
function withoutLine(store: Store, desk: Desk): Store {
  const pending: Store['approvals']['pending'] = async (sessionIds) =>
    (await store.approvals.pending(sessionIds)).filter(({ id }) => !desk.isInLine(id))
  return { ...store, approvals: { ...store.approvals, pending } }
}

function inWords(desk: Desk, approval: Approval): PendingQuestion {
  return {
    ...approval,
    ...definedFields({ expiresAt: desk.expiresAt(approval.id) }),
    questions: questionsOf(approval),
    suggestedRules: suggestedRules(approval).map(ruleText),
  }
}

async function createSession(
  { store, supervisor, transcripts, ...parts }: EngineParts,
  { caller }: CallContext,
  input: CreateSession,
): Promise<Session> {
  const { permissionTimeoutMs = PERMISSION_TIMEOUT_MS, carrier = 'control' } = parts
  const timeoutMs = input.timeoutMs ?? (caller.person ? 0 : permissionTimeoutMs)
  if (!mayCreate(caller))
    throw new AppError('forbidden', 'A child session may not start sessions unless it was created as nested.')
  requireNoBypass(caller, input.options)
  requireNoUrls(caller, input.content)
  const parent = caller.kind === 'session' ? await parentOf(store, caller) : undefined
  const parentId = parent?.id
  if (input.options.wakeParent && !parent)
    throw new AppError(
      'invalid_input',
      'wakeParent is for a session that another session starts, and nobody started you; leave it out.',
      { data: { field: 'wakeParent' } },
    )
  if ((await ancestorsOf(store, parentId)).length >= MAX_DEPTH)
    throw new AppError('forbidden', `Sessions may be nested ${MAX_DEPTH} deep, and this would be one more.`)
  const { options, answerers, ask, resume } = parent ? narrowed(parent, input) : input
  requireAskable({ answerers, ask })
  const how = {
    options: { ...options, carrier: options.carrier ?? carrier },
    // A tree belongs to whoever its topmost session belongs to: they answer when no session above is there to.
    owner: parent?.owner ?? caller.id,
    parentId,
    timeoutMs,
    answerers,
    ask,
  }
  const { content } = input
  if (parts.needsFolder && resume === undefined) requireFullPath(options.workingDirectory)
  if (resume === undefined)
    return content === undefined ? supervisor.create(how) : supervisor.begin(how, content)
  requireTranscripts(caller, 'resume')
  // A conversation goes on where it was, unless told otherwise.
  const workingDirectory = options.workingDirectory ?? (await transcripts?.find(resume))?.workingDirectory
  if (parts.needsFolder) requireFullPath(workingDirectory)
  const session = (await store.sessions.get(resume))
    ? // One that is a session already is that session, for who may have it.
      await sessionFor(store, caller, 'say', resume)
    : await supervisor.resume(resume, { ...how, options: { ...how.options, workingDirectory } })
  if (content === undefined) return session
  const live = await supervisor.wake(session.id)
  await live.say(content)
  return live.session
}

/** Into the mode without questions the CLI goes only when it is started, so its process ends too. */
async function endTurnFor(mode: string, session: LiveSession): Promise<void> {
  const { status } = session.session
  if (mode === 'bypassPermissions') await session.stop()
  else if (status === 'running' || status === 'waiting') await session.interrupt()
}

function within(value: number, most: number, least = 1): number {
  return Math.max(least, Math.min(value, most))
}

const Mode = z.enum(PERMISSION_MODES).exclude(['cli'])
const MAX_LIST = 500
const MAX_PAGE = 1_000
