/**
 * What the scripted model will say, as data.
 *
 * Every session walks through `main` on its own, told apart by the session id that the CLI sends with each
 * request, so one server can serve many sessions. A session that comes back by `--resume` goes on where it was;
 * one that gets a new id (`/clear`, a fork) begins at the start. A retry is a request like any other and takes the next
 * reply: `[{ status: 500 }, say('hi')]` fails once and then works.
 */
import type { ModelRequest } from './model-request.ts'

export interface Scenario {
  /** Replies of the main conversation in order, then a plain "done" for ever; or a function that picks one. */
  main: Reply[] | ((request: ModelRequest) => Reply)
  /**
   * Sub-agent conversations by a text that their first user message contains. Each agent walks through its list
   * on its own; one that matches no key says "done".
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
  /** With `chunkMs` the text comes a few words at a time with that pause between. */
  | { type: 'text'; text: string; chunkMs?: number }
  | { type: 'thinking'; text: string }
  /** Without `id` each use gets a new one. */
  | { type: 'tool'; name: string; input: unknown; id?: string }

export const say = (text: string): Message => ({ blocks: [{ type: 'text', text }] })

export const use = (name: string, input: unknown, id?: string): Block =>
  id === undefined ? { type: 'tool', name, input } : { type: 'tool', name, input, id }

export const tools = (...blocks: Block[]): Message => ({ blocks })
