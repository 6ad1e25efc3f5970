import { z } from 'zod'
import type { NoteVerifier } from '../audit/signed-note.ts'
import type { SessionKey } from '../base/ids.ts'
import { isAtWork } from '../sessions/record/at-work.ts'
import type { Desk } from '../approvals/desk.ts'
import { mayListFolders, type Verb } from '../callers/access-rules.ts'
import { listFolders } from '../folders/list-folders.ts'
import { decidedChange } from '../preview/file-change.ts'
import { readFileChange } from '../preview/read-file-change.ts'
import type { Relay } from '../child/launch/mcp-servers.ts'
import type { StartOptions } from '../child/launch/start-options.ts'
import { AppError } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import { definedFields } from '../base/defined-fields.ts'
import { PERMISSION_MODES } from '../base/permission-modes.ts'
import type { LiveSession } from '../sessions/live-session.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Supervisor } from '../sessions/supervisor.ts'
import type { Store } from '../sessions/record/store.ts'
import { answerAll } from './questions/answer-all.ts'
import { answerQuestion, findQuestion } from './questions/answer-question.ts'
import { requireMode, requireSession } from './access/session-access.ts'
import { exportRecord, getRecordRow, listRecord, verifyRecord } from './audit/record-verbs.ts'
import { listBudgets } from './budgets/list-budgets.ts'
import { requireBudget } from './budgets/require-budget.ts'
import { setBudget } from './budgets/set-budget.ts'
import type { SpendingContext } from './budgets/tree-budget.ts'
import { createSession } from './create-session.ts'
import { explainQuestion } from './learning/explain-question.ts'
import { offerRules } from './learning/offer-rules.ts'
import type { LearningDeps } from './learning/past-questions.ts'
import { replayRules } from './learning/replay-rules.ts'
import { exportRules, importRules } from './learning/settings-rules.ts'
import { suggestRules } from './learning/suggest-rules.ts'
import { testCall } from './learning/test-call.ts'
import { listGrants, revokeGrant } from './grants/grant-verbs.ts'
import type { Transcripts } from './conversations.ts'
import { deleteSession } from './sessions/delete-session.ts'
import { type DeviceParts, deviceVerbs } from './device-verbs.ts'
import { type OpenedIn, readingVerbs } from './reading-verbs.ts'
import { extendQuestion } from './questions/extend-question.ts'
import { forkSession } from './fork-session.ts'
import { handOver, returnSession } from './hand-over-session.ts'
import { escalateQuestion } from './questions/escalate-question.ts'
import { listDecisions } from './questions/list-decisions.ts'
import type { Approval } from '../approvals/approval.ts'
import type { Asking, Engine, CallContext } from './engine.ts'
import { turnEndId } from './access/parent-notice.ts'
import { inWords, placeOf, placesOf, type QuestionInWords } from './questions/question-words.ts'
import { heldCounts } from './questions/held-back.ts'
import { listPending, pendingIn } from './questions/list-pending.ts'
import { sumCosts } from './sessions/sum-costs.ts'
import { storeFor } from './access/terminal-questions.ts'
import { renameSession } from './sessions/rename-session.ts'
import { commandHint, promptOrCommand, requireNoUrls } from './prompt-or-command.ts'

/** The parts of devices are absent where no browser can reach this process. */
export interface EngineParts extends DeviceParts {
  readonly store: Store
  readonly supervisor: Supervisor
  readonly desk: Desk
  readonly budgets: SpendingContext
  /** Where the rules of this hub are, and what they are about. */
  readonly environment: LearningDeps['environment']
  readonly transcripts?: Transcripts | undefined
  /** The default timeout of questions in a session that a model starts. Questions of a person's session never time out. */
  readonly permissionTimeoutMs?: number | undefined
  /** The default carrier, for start options without one. */
  readonly carrier?: StartOptions['carrier']
  /** The folder of this process means nothing to the caller: a session must name its working directory. */
  readonly needsFolder?: boolean | undefined
  /** How to run this program as a relay, for a `claude` started outside Plexus. */
  readonly relay?: Relay | undefined
  /** The home folder of the user that the hub runs as: what `~` means in a path. */
  readonly userHome?: string | undefined
  /** The public key of the record; without it no signature is checked. */
  readonly recordKey?: NoteVerifier | undefined
}

/** The verbs, implemented in this process. Each checks the caller's access to the session first. */
export function createEngine(parts: EngineParts): Engine & Asking {
  const { supervisor } = parts
  const store = withoutQueued(parts.store, parts.desk)
  const readBy = ({ caller }: CallContext) => storeFor(store, caller)
  const findSession = ({ caller }: CallContext, verb: Verb, sessionId: SessionKey) =>
    requireSession(store, caller, verb, sessionId)
  /** A session that reads the state of a session it started need not be woken for it. */
  const noteSeenBy = async ({ caller }: CallContext, session: Session): Promise<Session> => {
    const news = caller.kind === 'session' && caller.name === session.parentId && turnEndId(session)
    if (news && session.config.wakeParent) await (await supervisor.wake(caller.name)).noteSeen(news)
    return session
  }
  const wakeSession = async (call: CallContext, verb: Verb, sessionId: SessionKey) =>
    supervisor.wake((await findSession(call, verb, sessionId)).id)
  const askingSession = async (call: CallContext) => {
    if (call.caller.kind === 'session') return wakeSession(call, 'ask', call.caller.name)
    throw new AppError('forbidden', 'Only a child session asks, and only for itself.')
  }

  const shown = async (asked: readonly Approval[]): Promise<QuestionInWords[]> => {
    parts.desk.noteShown(asked)
    const places = await placesOf(store, asked)
    const held = await heldCounts(store, asked)
    return asked.map((approval) =>
      inWords(parts.desk, approval, places.get(approval.sessionId), held.get(approval.id)),
    )
  }
  const openedIn: OpenedIn = async (call, sessionId, ids) => {
    const open = await pendingIn(readBy(call), call.caller, sessionId)
    return shown(open.filter(({ id }) => ids.has(id)))
  }
  return {
    createSession: (call, input) => createSession(parts, call, input),
    startTurn: async (call, { sessionId, ...input }) => {
      const said = promptOrCommand('content', input)
      requireNoUrls(call.caller, input.content)
      const session = await wakeSession(call, 'say', sessionId)
      await requireBudget(store, session.session, parts.budgets)
      const started = await session.say('command' in said ? said : said.content)
      return { ...started, ...definedFields({ hint: commandHint(input.content) }) }
    },
    ...readingVerbs({ ...parts, store, readBy, findSession, noteSeenBy, openedIn }),
    pending: async (call, input) => shown(await listPending(readBy(call), call.caller, input)),
    getApproval: async ({ caller }, named) => {
      const { approval, session } = await findQuestion(parts, caller, named, 'read')
      parts.desk.noteShown([approval])
      const held = await heldCounts(store, [approval])
      return inWords(parts.desk, approval, await placeOf(store, session), held.get(approval.id))
    },
    previewChange: async ({ caller }, { input, ...named }) => {
      const { approval } = await findQuestion(parts, caller, named, 'read')
      // The hub reads the file with the rights of its user: a model would read by it what it is asked about otherwise.
      if (!caller.person)
        throw new AppError('forbidden', 'What a call would do to a file is shown to a person only.')
      if (approval.status !== 'pending')
        return decidedChange(input === undefined ? approval : { ...approval, input })
      if (input === undefined) return readFileChange(approval)
      const isSameFile = input['file_path'] === approval.input['file_path']
      return isSameFile ? readFileChange({ ...approval, input }) : undefined
    },
    decisions: async (call, input) => {
      const decided = await listDecisions({ ...parts, store: readBy(call) }, call.caller, input)
      const places = await placesOf(store, decided)
      return decided.map((approval) => inWords(parts.desk, approval, places.get(approval.sessionId)))
    },
    costs: ({ caller }, input) => sumCosts(store, caller, input, parts.budgets),
    listBudgets: ({ caller }) => listBudgets(store, caller, parts.budgets),
    ask: async (call, asked, gone) => {
      const session = await askingSession(call)
      return session.questions.ask(asked, { gone, ended: call.signal })
    },
    answer: ({ caller }, { approvalId, sessionId, ...said }) =>
      answerQuestion(parts, caller, { approvalId, sessionId }, said),
    answerAll: ({ caller }, { questions }) => answerAll(parts, caller, questions),
    escalate: ({ caller }, input) => escalateQuestion(parts, caller, input),
    offerRules: (call, input) => offerRules({ ...parts, store: readBy(call) }, call.caller, input),
    suggestRules: (call, input) => suggestRules({ ...parts, store: readBy(call) }, call.caller, input),
    replayRules: (call, input) => replayRules({ ...parts, store: readBy(call) }, call.caller, input),
    importRules: (call, input) => importRules({ ...parts, store: readBy(call) }, call.caller, input),
    exportRules: async ({ caller }) => exportRules(parts, caller),
    testCall: ({ caller }, input) => testCall(parts, caller, input),
    explainQuestion: ({ caller }, input) => explainQuestion(parts, caller, input),
    listGrants: ({ caller }, input) => listGrants(parts, caller, input),
    revokeGrant: ({ caller }, input) => revokeGrant(parts, caller, input),
    renameSession: ({ caller }, input) => renameSession(parts, caller, input),
    deleteSession: ({ caller }, input) => deleteSession(parts, caller, input),
    extend: async ({ caller }, input) => {
      const { approval, session } = await extendQuestion(parts, caller, input)
      return inWords(parts.desk, approval, await placeOf(store, session))
    },
    interrupt: async (call, { sessionId }) => {
      const session = await wakeSession(call, 'interrupt', sessionId)
      await session.interrupt()
      return noteSeenBy(call, session.session)
    },
    setMode: async (call, { sessionId, mode, interrupt }) => {
      const { id } = await findSession(call, 'change', sessionId)
      await requireMode(store, call.caller, parseInput(PermissionMode, mode))
      const session = await supervisor.wake(id)
      if (interrupt) await endTurnBeforeMode(mode, session)
      await session.setMode(mode)
      return session.session
    },
    setBudget: ({ caller }, input) => setBudget(parts, caller, input),
    setModel: async (call, { sessionId, model }) => {
      const session = await wakeSession(call, 'change', sessionId)
      await session.setModel(model)
      return session.session
    },
    fork: (call, input) => forkSession(parts, call, input),
    permitConfig: async (call, { sessionId }) =>
      (await wakeSession(call, 'issue', sessionId)).outside.config(relayOf(parts)),
    commandConfig: async (call, { sessionId, to = 'command' }) =>
      (await wakeSession(call, 'issue', sessionId)).outside.command(relayOf(parts), to),
    handOver: (call, input) => handOver(parts, call, input),
    returnSession: (call, input) => returnSession(parts, call, input),
    judgeCall: async (call, { hookInput }) => (await askingSession(call)).questions.judge(hookInput),
    stopSession: async (call, { sessionId }) => {
      const session = await wakeSession(call, 'stop', sessionId)
      await session.stopAndStay()
      return noteSeenBy(call, session.session)
    },
    listFolders: async ({ caller }, { path }) => {
      if (!mayListFolders(caller))
        throw new AppError(
          'forbidden',
          'The folders of this machine are shown only to a person who may start sessions.',
        )
      return listFolders(path, parts.userHome)
    },
    listRecord: ({ caller }, input) => listRecord(parts, caller, input),
    getRecordRow: ({ caller }, input) => getRecordRow(parts, caller, input),
    exportRecord: ({ caller }, input) => exportRecord(parts, caller, input),
    verifyRecord: ({ caller }, input) => verifyRecord(parts, caller, input),
    ...deviceVerbs(parts),
  }
}

function relayOf({ relay }: EngineParts): Relay {
  if (relay) return relay
  throw new AppError(
    'invalid_input',
    'This hub cannot relay questions of a claude started elsewhere, because it does not know its own program.',
  )
}

/** An approval that is still queued at the desk is not open for anybody yet. */
function withoutQueued(store: Store, desk: Desk): Store {
  const pending: Store['approvals']['pending'] = async (sessionIds) =>
    (await store.approvals.pending(sessionIds)).filter(({ id }) => !desk.isQueued(id))
  return { ...store, approvals: { ...store.approvals, pending } }
}

/** The CLI enters `bypassPermissions` only at its start, so for that mode its process ends too. */
async function endTurnBeforeMode(mode: string, session: LiveSession): Promise<void> {
  if (mode === 'bypassPermissions') await session.stop()
  else if (isAtWork(session.session)) await session.interrupt()
}

const PermissionMode = z.enum(PERMISSION_MODES).exclude(['cli'])
