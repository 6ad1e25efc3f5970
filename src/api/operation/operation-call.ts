import type { SessionKey } from '../../base/ids.ts'
import type { Ask } from '../../base/ask-setting.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Known, MemoryChanges } from './caller-memory.ts'

/** One call of an operation, with everything that only the client knows. It can be sent to a hub as it is. */
export interface OperationCall {
  /** The name of the operation as a tool. */
  readonly tool: string
  readonly arguments?: unknown
  /** The folder of the caller: the default for new sessions. */
  readonly workingDirectory?: string | undefined
  /** The setting of the connection: whom questions are put to. */
  readonly ask?: Ask | undefined
  /** How long a question of a new session waits, unless the call sets it. */
  readonly timeoutMs?: number | undefined
  /** A sentence for the result of the next call that starts a session. */
  readonly notice?: string | undefined
  readonly known: Known
  /** Set when the same call is repeated: what it has begun is continued, and not begun again. */
  readonly again?: Begun | undefined
  /** How long the caller has already waited in the same call. */
  readonly waitedMs?: number | undefined
  /** Questions may be put to a person: `looked` is wanted. */
  readonly observe?: boolean | undefined
}

/** What a call has begun, as far as is known. */
export interface Begun {
  readonly sessionId?: SessionKey | undefined
  readonly promptId?: string | undefined
}

/** What happens in the middle of a call. */
export type CallEvent =
  /** The session that the call has started, or sent a prompt to: from here on the call only waits. */
  | { readonly type: 'begun'; readonly sessionId: SessionKey; readonly promptId?: string | undefined }
  /** With `observe`: a session that the call has read. */
  | { readonly type: 'session'; readonly sessionId: SessionKey; readonly lastSeq: number }
  /** Progress, in words. */
  | { readonly type: 'text'; readonly text: string }

/** What a call has found, for a transport that may put questions to a person. */
export interface Looked {
  /** The questions that it saw, oldest first. */
  readonly asked: readonly PendingQuestion[]
  /** Whether the call would wait, and for how long still. */
  readonly waits: boolean
  readonly leftMs: number
}

/** What a call returns besides its result. */
export interface CallOutcome {
  readonly memory: MemoryChanges
  /** The notice is in the result. */
  readonly noticed?: boolean | undefined
  readonly looked?: Looked | undefined
}

/** The result of a tool in MCP. */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
}

export interface OperationAnswer extends CallOutcome {
  readonly result: ToolResult
}
