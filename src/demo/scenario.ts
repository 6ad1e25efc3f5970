import type { ModelRequest } from './model-request.ts'

/**
 * The replies of the scripted model, as data.
 *
 * Every session has its own position in `main`, by the session id that the CLI sends with each request, so one server can
 * serve many sessions. A session that is resumed by `--resume` continues at its position; a session with a new id (`/clear`,
 * a fork) starts at the beginning. A retry is a request like any other and takes the next reply: `[{ status: 500 },
 * say('hi')]` fails once and then works.
 */
export interface Scenario {
  /** Replies of the main conversation in order, then always "done"; or a function that chooses the reply. */
  main: Reply[] | ((request: ModelRequest) => Reply)
  /**
   * Replies of sub-agents, by a text that their first user message contains. Each agent has its own position; an agent
   * that matches no key replies "done".
   */
  agents?: Record<string, Reply[]>
}

export type Reply =
  | Message
  | {
      status: 400 | 401 | 403 | 404 | 429 | 500 | 529
      message?: string
      retryAfterSeconds?: number
    }
  /** Streams all but the end of the last block, then cuts the connection. */
  | { cut: Block[] }
  /** Never answers. Ends when the client gives up or the server is closed. */
  | { hang: true }

export interface Message {
  blocks: Block[]
  /** Default: `tool_use` when there is a tool block, else `end_turn`. */
  stopReason?: string
  /** Silence before the first byte. */
  delayMs?: number
}

export type Block =
  /** With `chunkMs` the text is streamed a few words at a time, with that pause between. */
  | { type: 'text'; text: string; chunkMs?: number }
  | { type: 'thinking'; text: string }
  /** Without `id` each use gets a new one. */
  | { type: 'tool'; name: string; input: unknown; id?: string }

export function say(text: string): Message {
  return { blocks: [{ type: 'text', text }] }
}

export function use(name: string, input: unknown, id?: string): Block {
  return id === undefined ? { type: 'tool', name, input } : { type: 'tool', name, input, id }
}

export function tools(...blocks: Block[]): Message {
  return { blocks }
}
