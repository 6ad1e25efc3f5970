import type { Ask } from '../../base/ask-setting.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Known, MemoryChanges } from './caller-memory.ts'

/** One call of an operation, with all that only the client knows. It can be sent to a hub as it is. */
export interface OperationCall {
  /** The name of the operation as a tool. */
  readonly tool: string
  readonly arguments?: unknown
  /** Where the caller is: a session that names no folder works there. */
  readonly workingDirectory?: string | undefined
  /** Who the connection wants to be asked. */
  readonly ask?: Ask | undefined
  /** How long a question of a new session waits, unless the call says it. */
  readonly timeoutMs?: number | undefined
  /** What to say once, to whoever starts a session. */
  readonly notice?: string | undefined
  readonly known: Known
  /** The same call once more: what it has begun is continued, and not begun again. */
  readonly again?: Begun | undefined
  /** How long the caller has waited before this, in the same call. */
  readonly waitedMs?: number | undefined
  /** Questions may be put to a person: `looked` is wanted. */
  readonly observe?: boolean | undefined
}

/** What a call has begun, as far as is known. */
export interface Begun {
  readonly sessionId?: string | undefined
  readonly promptId?: string | undefined
}

/** What happens in the middle of a call. */
export type CallEvent =
  /** The session that the call has started, or said something to: from here on it only waits. */
  | { readonly type: 'begun'; readonly sessionId: string; readonly promptId?: string | undefined }
  /** With `observe`: a session that the call has to do with. */
  | { readonly type: 'session'; readonly sessionId: string; readonly lastSeq: number }
  /** Something to read, for who waits. */
  | { readonly type: 'text'; readonly text: string }

/** What a call has come upon, for who may put questions to a person. */
export interface Looked {
  /** The questions that it saw, oldest first. */
  readonly asked: readonly PendingQuestion[]
  /** Whether it has wanted to wait, and how long it still would. */
  readonly waits: boolean
  readonly leftMs: number
}

/** What is known after a call, besides its result. */
export interface CallOutcome {
  readonly memory: MemoryChanges
  /** The notice was said. */
  readonly noticed?: boolean | undefined
  readonly looked?: Looked | undefined
}

/** The result of a tool, as MCP has it. */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
}

export interface OperationAnswer extends CallOutcome {
  readonly result: ToolResult
}
