import type { RecordReport } from '../audit/record-report.ts'
import type { ApprovalKey, GrantKey, SessionKey } from '../base/ids.ts'
import type { Answer } from '../approvals/answer.ts'
import type { Answered, Approval } from '../approvals/approval.ts'
import type { GrantView } from './grants/grant-view.ts'
import type { ListGrants } from './grants/grant-verbs.ts'
import type { Budget } from '../budgets/budget.ts'
import type { Caller } from '../callers/access-rules.ts'
import type { HookOutput } from '../child/lines/stdin-messages.ts'
import type { Device } from '../devices/device.ts'
import type { DeviceLink, Pairing } from '../devices/devices.ts'
import type { DeviceNoticeSettings } from '../notices/device-notices.ts'
import type { NoticeChoice } from '../notices/notice-settings.ts'
import type { FolderList } from '../folders/list-folders.ts'
import type { Decision } from '../events/decision.ts'
import type { JudgedCommand, PermitConfig } from '../sessions/launch/outside-command.ts'
import type { HandOver, Returned } from '../sessions/run/outside-process.ts'
import type { Asked } from '../sessions/run/permit-calls.ts'
import type { Said } from '../sessions/launch/prompt-kinds.ts'
import type { Page } from '../sessions/record/read-events.ts'
import type { TurnPage } from '../sessions/record/read-turn.ts'
import type { Session, Turn } from '../sessions/record/session.ts'
import type { Branch } from '../tree/session-tree.ts'
import type { ExportRecord, ListRecord, RecordPage, RecordRowView } from './audit/record-verbs.ts'
import type { Conversation, ListConversations } from './conversations.ts'
import type { SessionBudget } from './budgets/list-budgets.ts'
import type { Explanation } from './learning/explain-question.ts'
import type { RuleOffers } from './learning/offer-rules.ts'
import type { ReplayRules } from './learning/replay-rules.ts'
import type { ImportedRules, ImportRules } from './learning/settings-rules.ts'
import type { SuggestedRule } from './learning/suggest-rules.ts'
import type { TestCall, TestedCall } from './learning/test-call.ts'
import type { ReplayReport } from '../rules/learning/replay.ts'
import type { Exported } from '../rules/learning/settings-export.ts'
import type { Costs } from './sessions/sum-costs.ts'
import type { Deleted } from './sessions/delete-session.ts'
import type { SessionNow } from './sessions/session-now.ts'
import type { OneOfAll } from './questions/answer-all.ts'
import type { FileChange } from '../preview/file-change.ts'
import type { CreateSession } from './create-session.ts'
import type { InviteDevice } from './device-verbs.ts'
import type { Fork } from './fork-session.ts'
import type { HandedOver } from './hand-over-session.ts'
import type { PromptOrCommand } from './prompt-or-command.ts'
import type { ListSessions, ReadEvents, ReadTurn } from './reading-verbs.ts'
import type { WaitFor } from './wait-for-sessions.ts'
import type { Decisions } from './questions/list-decisions.ts'
import type { Escalate } from './questions/escalate-question.ts'
import type { Extend } from './questions/extend-question.ts'
import type { Pending } from './questions/list-pending.ts'
import type { QuestionInWords } from './questions/question-words.ts'
import type { EarlierTurn } from './earlier-turns.ts'
import type { FollowAll, FollowedPage } from './follow-all.ts'

/**
 * What Plexus can do: the first page to read. Everything else translates these verbs (JSON-RPC, MCP, the command line) or
 * implements them. Every verb gets the caller. A session the caller may not read is reported as `not_found`.
 */
export interface Engine {
  /** Creates a session. Its first turn begins only if `content` is given. */
  createSession(call: CallContext, input: CreateSession): Promise<Session>
  /** Sends a prompt. It begins a turn; while another turn runs, it is queued, and the result says so. */
  startTurn(
    call: CallContext,
    input: PromptOrCommand & { sessionId: SessionKey },
  ): Promise<Said & { readonly hint?: string | undefined }>
  getSession(call: CallContext, input: { sessionId: SessionKey }): Promise<SessionNow>
  listSessions(call: CallContext, input: ListSessions): Promise<SessionNow[]>
  /** Every conversation that can be resumed: our sessions, and conversations that only the CLI has (scope `transcripts`). */
  listConversations(call: CallContext, input: ListConversations): Promise<Conversation[]>
  listTurns(call: CallContext, input: { sessionId: SessionKey }): Promise<Turn[]>
  /** The events after `after`, or after the last event that this reader has read. */
  readEvents(call: CallContext, input: ReadEvents): Promise<Page>
  /** The same, with events counted from the beginning of each turn. */
  readTurn(call: CallContext, input: ReadTurn): Promise<TurnPage>
  followEvents(call: CallContext, input: { sessionId: SessionKey; after: number }): AsyncIterable<Page>
  /** The events of every session that the caller may read, from a position of the feed on; from now on by default. */
  followAll(call: CallContext, input: FollowAll): AsyncIterable<FollowedPage>
  /**
   * Returns as soon as one of these sessions (or any session that the caller is responsible for) needs an answer, has ended,
   * or has changed since `seen`; or when time is up. For a nested session, a question of a session below it also ends the
   * wait if the caller is to answer it: then the asking session is returned.
   */
  waitFor(call: CallContext, input: WaitFor): Promise<Session[]>
  /** The open questions: of one session, or all that the caller is to answer (a person: all that they may read). */
  pending(call: CallContext, input: Pending): Promise<PendingQuestion[]>
  /** A question by its id, open or settled. */
  getApproval(
    call: CallContext,
    input: { approvalId: ApprovalKey; sessionId?: SessionKey | undefined },
  ): Promise<PendingQuestion>
  /** What the call that a question asks for, or the same call with another input, would do to a file as it is now. */
  previewChange(call: CallContext, input: PreviewChange): Promise<FileChange | undefined>
  /** The decisions of one session, or of all that the caller may read: by whom, when, from which level. Newest question first. */
  decisions(call: CallContext, input: Decisions): Promise<PendingQuestion[]>
  /** Settles a question, once. */
  answer(
    call: CallContext,
    input: { approvalId: ApprovalKey; sessionId?: SessionKey | undefined } & Answer,
  ): Promise<Answered>
  /** Settles several questions as one decision: all of them are answered, or none is and the error names the one that is why. */
  answerAll(call: CallContext, input: { questions: readonly OneOfAll[] }): Promise<Answered[]>
  /** What was spent by day, by session and with all sessions below one, as far as the caller may read it. */
  costs(
    call: CallContext,
    input: { sessionId?: SessionKey | undefined; days?: number | undefined },
  ): Promise<Costs>
  /** The budgets of the newest sessions that the caller may read, and what their trees have spent of them. */
  listBudgets(call: CallContext, input: object): Promise<SessionBudget[]>
  /** Hands a question to the next level above the caller. That level is responsible for it from then on. */
  escalate(call: CallContext, input: Escalate): Promise<Approval>
  /** Rules that could be remembered with the answer to an open question: each was tried on this very call, and on the history. */
  offerRules(
    call: CallContext,
    input: { approvalId: ApprovalKey; sessionId?: SessionKey | undefined },
  ): Promise<RuleOffers>
  /** Rules for what was answered alike at least three times. Never for a session, as the next one. */
  suggestRules(call: CallContext, input: { days?: number | undefined }): Promise<SuggestedRule[]>
  /** What a rules file would have decided about the stored questions that the caller may read. Nothing is run or saved. */
  replayRules(call: CallContext, input: ReplayRules): Promise<ReplayReport & { readonly since: number }>
  /**
   * The permissions of Claude Code's settings as rules of the home folder: what would be added, and what that would have decided.
   * Saved only with `replaces`. For a person, as the next one.
   */
  importRules(call: CallContext, input: ImportRules): Promise<ImportedRules>
  /** The rules of the home folder as permissions of Claude Code, and what those cannot say. */
  exportRules(call: CallContext, input: object): Promise<Exported>
  /** What would become of a call if a session made it now, such as `Bash(git push)`, and by which rule. Nothing is run. */
  testCall(call: CallContext, input: TestCall): Promise<TestedCall>
  /** Which rule decided a question, or had it asked; also after its session was removed, as long as the record says it. */
  explainQuestion(call: CallContext, input: { approvalId: ApprovalKey }): Promise<Explanation>
  /** What was remembered and holds in a session, or without one in any: calls that need no new answer. */
  listGrants(call: CallContext, input: ListGrants): Promise<GrantView[]>
  /** Revokes a grant: such calls are asked about again, also in a process that already runs. Returns those that are left. */
  revokeGrant(
    call: CallContext,
    input: { sessionId?: SessionKey | undefined; grantId: GrantKey },
  ): Promise<GrantView[]>
  interrupt(call: CallContext, input: { sessionId: SessionKey }): Promise<Session>
  /** Takes effect at once. With `interrupt` the running turn is ended first, unless the mode is refused. */
  setMode(call: CallContext, input: SetMode): Promise<Session>
  /**
   * Sets what a session and all sessions below it may spend together; without `budget` it has no limit of its own. At the limit
   * the turns of the tree are interrupted, and it continues when the budget is raised. Never for a session.
   */
  setBudget(
    call: CallContext,
    input: { sessionId: SessionKey; budget?: Budget | undefined },
  ): Promise<Session>
  setModel(call: CallContext, input: { sessionId: SessionKey; model: string }): Promise<Session>
  fork(call: CallContext, input: Fork): Promise<Session>
  /** The whole tree of turns and forks that the session belongs to, as far as the caller may read it. */
  tree(call: CallContext, input: { sessionId: SessionKey }): Promise<Branch[]>
  /** The turns of a conversation before it became a session here; all turns if it never did (scope `transcripts`). */
  history(call: CallContext, input: { sessionId: SessionKey }): Promise<EarlierTurn[]>
  /**
   * What a `claude` command started outside Plexus needs so that its questions are asked here, as questions of this session
   * (created with carrier `mcp`, and without a process of ours). A configuration issued earlier stops working.
   */
  permitConfig(call: CallContext, input: { sessionId: SessionKey }): Promise<PermitConfig>
  /**
   * The same with a hook that has every tool call judged here, as those of a child are, and with the token in a private file of
   * the hub. This is what `plexus run` starts.
   */
  commandConfig(
    call: CallContext,
    input: { sessionId: SessionKey; to?: HandOver['to'] | undefined },
  ): Promise<JudgedCommand>
  /** Only the hook of such a process does this, for its own session: what it prints before a tool call. */
  judgeCall(call: CallContext, input: { hookInput: unknown }): Promise<HookOutput>
  /**
   * A process that is not ours has the conversation from now on: a command of `plexus run`, or, for a person, a terminal. Our own
   * process is ended first. Until that process ends, nothing can be said to the session here.
   */
  handOver(call: CallContext, input: HandOver & { sessionId: SessionKey }): Promise<HandedOver>
  /** That process has ended. If nobody reports it, the hub finds out by itself. */
  returnSession(call: CallContext, input: Returned & { sessionId: SessionKey; pid: number }): Promise<Session>
  /** The name of a session that has ended can be used again. */
  renameSession(call: CallContext, input: { sessionId: SessionKey; name: string }): Promise<Session>
  /** Removes a session that is not at work, or stops it first. The conversation stays with the CLI. */
  deleteSession(
    call: CallContext,
    input: { sessionId: SessionKey; stop?: true | undefined },
  ): Promise<Deleted>
  /** Gives a question more time, from now on; by default as much as each question of its session has. */
  extend(call: CallContext, input: Extend): Promise<PendingQuestion>
  /** Ends the process; the session can be resumed. Sessions below it keep running, and the next level above answers for them. */
  stopSession(call: CallContext, input: { sessionId: SessionKey }): Promise<Session>
  /** The folders below a path that is being typed, on the machine of the hub. For a person who may begin a session there. */
  listFolders(call: CallContext, input: { path: string }): Promise<FolderList>
  /**
   * A one-time code with which a browser becomes a device of the person: valid for a minute. With `confirm` the device gets
   * its token only after `confirmDevice`. For the operator alone, and a person.
   */
  inviteDevice(call: CallContext, input: InviteDevice): Promise<DeviceLink>
  /** Waits until a device shows the code, and returns the number that it shows to its person. */
  awaitDevice(call: CallContext, input: { code: string; seconds: number }): Promise<Pairing>
  confirmDevice(call: CallContext, input: { code: string; decision: 'accept' | 'refuse' }): Promise<Pairing>
  listDevices(call: CallContext, input: object): Promise<Device[]>
  /** Its token is invalid at once. */
  removeDevice(call: CallContext, input: { name: string }): Promise<Device>
  /** Rows of the record, newest first. For the operator and the devices of a person alone, as the next three; each is recorded too. */
  listRecord(call: CallContext, input: ListRecord): Promise<RecordRowView[]>
  /** A row of the record, and the other rows about the same question. */
  getRecordRow(
    call: CallContext,
    input: { number: number },
  ): Promise<{ row: RecordRowView; related: RecordRowView[] }>
  /** A page of the whole record with its checkpoints, oldest first, as it can be checked elsewhere. */
  exportRecord(call: CallContext, input: ExportRecord): Promise<RecordPage>
  /** Checks the record, and compares it with anchors: the text of a file that they were written to. */
  verifyRecord(call: CallContext, input: { anchors?: string | undefined }): Promise<RecordReport>
  /** What the calling device is notified of, and the key that its browser subscribes with at its push service. */
  readNotices(call: CallContext, input: object): Promise<DeviceNoticeSettings>
  /** Replaces what the calling device is notified of. Without `push`, nothing is sent while no page is open. */
  setNotices(call: CallContext, input: NoticeChoice): Promise<DeviceNoticeSettings>
}

/** Only children do this, inside the hub's process; it is not offered over a wire. */
export interface Asking {
  /**
   * A child asks, for itself, and waits for the answer. When `gone` is aborted, the question is withdrawn; when only the
   * wait is aborted, it stays open. The same question asked again is the same approval; the latest request gets the answer.
   */
  ask(call: CallContext, asked: Asked, gone: AbortSignal): Promise<Decision>
}

/** Every verb gets this: the caller, and a signal. */
export interface CallContext {
  readonly caller: Caller
  /** Ends a wait, and nothing else. */
  readonly signal?: AbortSignal | undefined
}

interface SetMode {
  readonly sessionId: SessionKey
  readonly mode: string
  readonly interrupt?: true | undefined
}

interface PreviewChange {
  readonly approvalId: ApprovalKey
  readonly sessionId?: SessionKey | undefined
  /** In place of the requested input. */
  readonly input?: Readonly<Record<string, unknown>> | undefined
}

/** An open or a settled question. */
export type PendingQuestion = QuestionInWords
export type { GrantView }
export type { ReplayReport, RuleOffers, SuggestedRule }
