import { z } from 'zod'
import { ASKS } from '../../base/ask-setting.ts'
import { StartOptions } from '../../child/launch/start-options.ts'
import { ErrorInfo } from '../../events/session-event.ts'
import type { QuietState } from './checkpoint.ts'

export const SessionStatus = z.enum(['idle', 'running', 'waiting', 'done', 'failed', 'interrupted'])
export type SessionStatus = z.infer<typeof SessionStatus>

/** How a session's conversation begins: new, as a conversation that the CLI already has, or as a copy of one. */
export const Origin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('new') }),
  z.object({ kind: z.literal('resume') }),
  z.object({ kind: z.literal('fork'), from: z.string(), at: z.string().optional() }),
])
export type Origin = z.infer<typeof Origin>

/** The protection of a process, and the protection of a process that is started today. */
export const Outdated = z.object({ protection: z.number(), needed: z.number() })
export type Outdated = z.infer<typeof Outdated>

/** One Claude Code conversation. The fields from `status` on follow from its events. */
export const Session = z.object({
  id: z.string(),
  /** Unique where given. */
  name: z.string().optional(),
  /** The session whose child started this session. */
  parentId: z.string().optional(),
  /** The caller who created it; below another session, the owner of that session. */
  owner: z.string(),
  /** As resolved at creation: a real path. */
  workingDirectory: z.string(),
  config: StartOptions,
  origin: Origin,
  /** The project settings in its folders that are not loaded, because the folders are not trusted. */
  notLoaded: z.array(z.string()).optional(),
  /** How long a question waits before it is denied, in ms; 0 means no limit. */
  timeoutMs: z.number().default(0),
  /** Who may answer its questions: a person only, or a model too. */
  answerers: z.enum(['anyone', 'person']).default('anyone'),
  /** Whom its questions are put to, if its creator said so; otherwise the connection decides. */
  ask: z.enum(ASKS).optional(),
  /** The CLI's own id: ours at birth, another after `/clear`. */
  cliSessionId: z.string(),
  createdAt: z.number(),

  status: SessionStatus,
  /** The number of the current or last turn; 0 before the first. */
  turn: z.number(),
  lastSeq: z.number(),
  error: ErrorInfo.optional(),
  model: z.string().optional(),
  permissionMode: z.string().optional(),
  costUsd: z.number(),
  /** Its process was started by an earlier Plexus, with less protection; it ends when it is idle. */
  outdated: Outdated.optional(),
  /** Questions and ends of sessions below that it knows, as `newsOf` names them. */
  knows: z.array(z.string()).readonly().optional(),
  /** A caller stopped it, and it had no prompt since. */
  stopped: z.boolean().optional(),
  /** How much of its context was used by the last request to the model, and how large it is. */
  contextTokens: z.number().optional(),
  contextWindow: z.number().optional(),
  /** The node of the tree that the next turn continues from. */
  headNode: z.string().optional(),
  updatedAt: z.number(),
  /** The folded state at a moment when nothing was open: only the events after it are folded again. */
  checkpoint: z.object({ seq: z.number(), state: z.custom<QuietState>() }).optional(),
})
export type Session = z.infer<typeof Session>

/** One process of the CLI for a session. Live until `endedAt` is set. */
export interface Run {
  readonly id: string
  readonly sessionId: string
  readonly folder: string
  /** Bytes of its output that are stored as events. */
  readonly offset: number
  readonly startedAt: number
  readonly endedAt?: number | undefined
}

/** From one prompt (or wake-up) to its result. `lastSeq` and `outcome` are absent while it runs. */
export interface Turn {
  readonly sessionId: string
  readonly number: number
  readonly promptId?: string | undefined
  readonly firstSeq: number
  readonly lastSeq?: number | undefined
  /** Where a fork of this turn begins. */
  readonly assistantUuid?: string | undefined
  readonly outcome?: 'done' | 'failed' | 'interrupted' | undefined
}
