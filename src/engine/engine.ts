import type { Ask } from '../base/ask-setting.ts'
import type { Answer } from '../approvals/answer.ts'
import type { Answered, Approval } from '../approvals/approval.ts'
import type { Grant } from '../approvals/grant.ts'
import type { Question } from '../approvals/question.ts'
import type { Caller } from '../callers/access-rules.ts'
import type { StartOptions } from '../child/launch/start-options.ts'
import type { Command, Decision } from '../events/session-event.ts'
import type { Asked } from '../sessions/run/permit-calls.ts'
import type { Content, Said } from '../sessions/run/live-session.ts'
import type { Page } from '../sessions/record/read-events.ts'
import type { TurnPage, TurnWish } from '../sessions/record/read-turn.ts'
import type { Session, SessionStatus, Turn } from '../sessions/record/session.ts'
import type { Branch } from '../tree/lineage.ts'
import type { Conversation, ListConversations } from './conversations.ts'
import type { EarlierTurn } from './earlier-turns.ts'

/**
 * What Plexus can do: the first page to read. Everything else is a translation of these verbs (JSON-RPC, MCP, the command
 * line) or a part of how they are done. Every verb is told who asks; what one may not see does not exist for one.
 */
export interface Engine {
  /** A session that has not begun, unless something is said to it at once. */
  createSession(who: CallContext, input: CreateSession): Promise<Session>
  /** Says something: begins a turn, or, while one goes on, waits in line for it (and is told so). */
  startTurn(who: CallContext, input: StartTurn): Promise<Said & { readonly hint?: string | undefined }>
  getSession(who: CallContext, input: { sessionId: string }): Promise<Session>
  listSessions(who: CallContext, input: ListSessions): Promise<Session[]>
  /** Every conversation that can be gone on with: our sessions, and what the CLI has from elsewhere (scope `transcripts`). */
  listConversations(who: CallContext, input: ListConversations): Promise<Conversation[]>
  listTurns(who: CallContext, input: { sessionId: string }): Promise<Turn[]>
  /** What happened behind `after`, or behind what this reader has seen. */
  readEvents(who: CallContext, input: ReadEvents): Promise<Page>
  /** The same for who counts the events of each turn from its beginning. */
  readTurn(who: CallContext, input: ReadTurn): Promise<TurnPage>
  followEvents(who: CallContext, input: { sessionId: string; after: number }): AsyncIterable<Page>
  /**
   * Returns the moment one of these sessions (or any that one is responsible for) needs someone or has ended, or is not as it
   * was seen, or when time is up. Of a nested one also what is asked below it and falls to the caller: then the session that
   * asks is returned.
   */
  waitFor(who: CallContext, input: WaitFor): Promise<Session[]>
  /** The questions that wait for an answer: of a session, or those that the caller is to answer (a person: all). */
  pending(who: CallContext, input: Pending): Promise<PendingQuestion[]>
  /** One question by its id, whether it waits or is settled. */
  getApproval(
    who: CallContext,
    input: { approvalId: string; sessionId?: string | undefined },
  ): Promise<PendingQuestion>
  /** What was decided in a session, or in all that one may see: by whom, when, from which level. What was asked last is first. */
  decisions(who: CallContext, input: Decisions): Promise<Approval[]>
  /** Settles a question, once. */
  answer(
    who: CallContext,
    input: { approvalId: string; sessionId?: string | undefined } & Answer,
  ): Promise<Answered>
  /** Hands a question to the next level above the caller, who is responsible for it from then on. */
  escalate(who: CallContext, input: Escalate): Promise<Approval>
  /** What was remembered in a session: calls that need no new answer. */
  listGrants(who: CallContext, input: { sessionId: string }): Promise<Grant[]>
  /** Takes one back: such calls are asked about again, in the process that there is too. */
  revokeGrant(who: CallContext, input: { sessionId: string; grantId: string }): Promise<Grant[]>
  interrupt(who: CallContext, input: { sessionId: string }): Promise<Session>
  /** From now on; with `interrupt` what goes on is ended first, if the mode may be set at all. */
  setMode(who: CallContext, input: SetMode): Promise<Session>
  setModel(who: CallContext, input: { sessionId: string; model: string }): Promise<Session>
  fork(who: CallContext, input: Fork): Promise<Session>
  /** All that grew from where the session's conversation began, as far as one may see it. */
  tree(who: CallContext, input: { sessionId: string }): Promise<Branch[]>
  /** What was said in a conversation before it was a session here; of one that is none, all (scope `transcripts`). */
  history(who: CallContext, input: { sessionId: string }): Promise<EarlierTurn[]>
  /**
   * What a `claude` command that somebody else starts needs, so that its questions are asked here as those of this session
   * (created with carrier `mcp`, and without a process of ours). What it was given before is worth nothing any more.
   */
  permitConfig(who: CallContext, input: { sessionId: string }): Promise<PermitConfig>
  /** Ends the process; the session can go on later. Sessions below it go on, and what they ask falls to whoever is above. */
  stopSession(who: CallContext, input: { sessionId: string }): Promise<Session>
}

/** What only children do, where they are: not a verb for whoever is elsewhere. */
export interface Asking {
  /**
   * A child asks, for itself, and waits for the answer. When `gone` says that it has gone, the question is withdrawn; when
   * the wait is ended, it stays. The same question asked again is the same approval; whoever asked last gets the answer.
   */
  ask(who: CallContext, asked: Asked, gone: AbortSignal): Promise<Decision>
}

/** Who makes a call, and the signal that ends its wait. */
export interface CallContext {
  readonly caller: Caller
  /** Ends a wait and nothing else. */
  readonly signal?: AbortSignal | undefined
}

export interface CreateSession {
  readonly options: StartOptions
  /** How long a question waits before silence is a no; 0 is for ever. */
  readonly timeoutMs?: number | undefined
  readonly answerers?: 'anyone' | 'person' | undefined
  /** Whom its questions are put to; what is left out is for the connection to say. */
  readonly ask?: Ask | undefined
  /** A conversation that the CLI has already. */
  readonly resume?: string | undefined
  /** To be said at once: one call where a start would be two. */
  readonly content?: Content | undefined
}

/** Exactly one of the two. */
export interface StartTurn {
  readonly sessionId: string
  /** Reaches the model as it is: nothing in it is looked up, run or loaded. */
  readonly content?: Content | undefined
  readonly command?: Command | undefined
}

export interface ListSessions {
  readonly status?: readonly SessionStatus[] | undefined
  readonly limit?: number | undefined
  readonly before?: { readonly updatedAt: number; readonly id: string } | undefined
}

export interface ReadEvents {
  readonly sessionId: string
  readonly after?: number | undefined
  readonly reader?: string | undefined
  readonly limit?: number | undefined
}

export interface ReadTurn extends Omit<TurnWish, 'limit'> {
  readonly sessionId: string
  /** 100 if left out; 0 reads nothing and only tells how things stand. */
  readonly limit?: number | undefined
}

export interface SetMode {
  readonly sessionId: string
  readonly mode: string
  readonly interrupt?: true | undefined
}

export interface Fork {
  readonly sessionId: string
  /** The last one if left out. */
  readonly nodeId?: string | undefined
  /** Of the new session. */
  readonly name?: string | undefined
}

export interface WaitFor {
  readonly sessionIds?: readonly string[] | undefined
  /** In place of ids: wait for whatever one may see that is not at this seq any more, or is not named here. */
  readonly seen?: Readonly<Record<string, number>> | undefined
  /** In place of ids: besides what any of one's own asks, the end of each of these, also if that has come already. */
  readonly atWork?: readonly string[] | undefined
  /** The ids of questions that the caller knows and leaves open: they do not end the wait, and are found at its end. */
  readonly known?: readonly string[] | undefined
  /** At most 50. */
  readonly seconds: number
}

export interface Pending {
  readonly sessionId?: string | undefined
  /** In place of what the session asks: what is asked below it and falls to the caller. */
  readonly below?: true | undefined
}

export interface Decisions {
  readonly sessionId?: string | undefined
  /** 20 if left out, at most 500. */
  readonly limit?: number | undefined
  /** The id of a question: only what was asked before it. */
  readonly before?: string | undefined
}

export interface Escalate {
  readonly approvalId: string
  readonly sessionId?: string | undefined
  /** For who is to answer in one's place. */
  readonly note?: string | undefined
}

export interface PermitConfig {
  /** The text of a file for `--mcp-config`; it holds a token, so the file must be private. */
  readonly mcpConfig: { readonly mcpServers: Record<string, unknown> }
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** A question with what it asks in words. */
export interface PendingQuestion extends Approval {
  readonly questions: readonly Question[]
  /** What `remember: "suggested"` would keep besides the very call. */
  readonly suggestedRules: readonly string[]
  /** When silence becomes a no, as the hub that is there now counts it; absent where it never does. */
  readonly expiresAt?: number | undefined
}
