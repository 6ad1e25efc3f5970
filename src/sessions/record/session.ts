import { z } from 'zod'
import type { CallerId, RunId, SessionId } from '../../base/ids.ts'
import type { Ask } from '../../base/ask-setting.ts'
import type { Budget } from '../../budgets/budget.ts'
import type { StartOptions } from '../../child/launch/start-options.ts'
import type { ErrorInfo, EventOf } from '../../events/session-event.ts'
import type { QuietState } from './checkpoint.ts'
import type { SpentRow } from '../spending/session-spending.ts'

export const SessionStatus = z.enum(['idle', 'running', 'waiting', 'done', 'failed', 'interrupted'])
export type SessionStatus = z.infer<typeof SessionStatus>

/** Where a session's conversation starts: empty, with a conversation of the CLI, or with a copy of one. */
export type Origin =
  | { readonly kind: 'new' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'fork'; readonly from: string; readonly at?: string | undefined }

/** The protection level of a process, and that of a new process. */
export interface Outdated {
  readonly protection: number
  readonly needed: number
}

/** A process that is not ours and has the conversation now: a `claude` of `plexus run`, or one in a terminal. */
export interface Outside {
  readonly to: EventOf<'session.handed_over'>['to']
  readonly pid: number
  readonly startedAt: string
  /** A CLI that a person runs in a terminal, and that the hub found. */
  readonly found?: true | undefined
  /** What the CLI in a terminal says of itself, if it says anything. */
  readonly status?: EventOf<'terminal.changed'>['status'] | undefined
  readonly waitingFor?: string | undefined
}

/** One Claude Code conversation. Everything but its creation options is derived from its events. */
export interface Session {
  readonly id: SessionId
  /** Unique among sessions. */
  readonly name?: string | undefined
  /** The first words of its first prompt; absent before it, and in rows of an older version. */
  readonly title?: string | undefined
  /** The session whose child started this session. */
  readonly parentId?: SessionId | undefined
  /** The id of the caller who created it; below another session, the owner of that session. */
  readonly owner: CallerId
  /** The real path, as resolved at creation. */
  readonly workingDirectory: string
  readonly config: StartOptions
  readonly origin: Origin
  /** Settings in its folders that are not loaded, because the folders are not trusted. */
  readonly notLoaded?: string[] | undefined
  /** How long a question waits before it is denied, in ms; 0 means for ever. */
  readonly timeoutMs: number
  /** Who may answer its questions: a person only, or a model too. */
  readonly answerers: 'anyone' | 'person'
  /** Who gets its questions, if its creator chose; otherwise the connection decides. */
  readonly ask?: Ask | undefined
  /** The CLI's own id: equal to `id` at first, another after `/clear`. */
  readonly cliSessionId: string
  readonly createdAt: number

  readonly status: SessionStatus
  /** The number of the current or last turn; 0 before the first. */
  readonly turn: number
  /** How many questions it has asked; absent before the first. */
  readonly questions?: number | undefined
  readonly lastSeq: number
  readonly error?: ErrorInfo | undefined
  readonly model?: string | undefined
  readonly permissionMode?: string | undefined
  readonly costUsd: number
  /** Tokens, tool calls and time; absent in rows of an older version. */
  readonly spent?: SpentRow | undefined
  /** Set after the start, in place of the budget of `config`; null: none. */
  readonly budget?: Budget | null | undefined
  /** How many questions about its budget are open. They do not stop its work, so it need not be `waiting`. */
  readonly budgetQuestions?: number | undefined
  /** It was answered that it and all sessions below it stop, and that has not happened yet. */
  readonly mustStop?: boolean | undefined
  /** An earlier Plexus started its process with less protection; it ends when it is idle. */
  readonly outdated?: Outdated | undefined
  /** Questions and ends of sessions below that it has already read, by notice id. */
  readonly knows?: readonly string[] | undefined
  /** A caller stopped it, and no prompt was sent since. */
  readonly stopped?: boolean | undefined
  /** With `stopped`: no caller stopped it, its process outside has ended by itself. */
  readonly endedOutside?: boolean | undefined
  /** Until that process ends, nothing can be said to the session here. */
  readonly outside?: Outside | undefined
  /** A conversation that a person has in a terminal, or had: the hub found it there, and nobody has continued it here. */
  readonly terminal?: true | undefined
  /** The used size of its context at the last model request, and its limit. */
  readonly contextTokens?: number | undefined
  readonly contextWindow?: number | undefined
  /** A person looks at the questions that are held back, one after the other. */
  readonly showsHeld?: boolean | undefined
  /** The node of the tree from which the next turn continues. */
  readonly headNode?: string | undefined
  readonly updatedAt: number
  /** The state of its events at a moment when nothing was open: reading again starts after it. */
  readonly checkpoint?: { readonly seq: number; readonly state: QuietState } | undefined
}

/** One process of the CLI for a session. Live until `endedAt` is set. */
export interface Run {
  readonly id: RunId
  readonly sessionId: SessionId
  readonly folder: string
  /** Bytes of its output that are stored as events. */
  readonly offset: number
  readonly startedAt: number
  readonly endedAt?: number | undefined
}

/** From one prompt (or wake-up) to its result. `lastSeq` and `outcome` are absent while it runs. */
export interface Turn {
  readonly sessionId: SessionId
  readonly number: number
  readonly promptId?: string | undefined
  readonly firstSeq: number
  readonly lastSeq?: number | undefined
  /** Where a fork of this turn begins. */
  readonly assistantUuid?: string | undefined
  readonly outcome?: 'done' | 'failed' | 'interrupted' | undefined
}
