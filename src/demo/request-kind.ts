import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { parseJson } from '../text/json-text.ts'
import type { ModelRequest, RequestBody } from './model-request.ts'
import { firstUserText, lastUserText, rawLastUserText, toolResultsIn } from './model-request.ts'

export interface Incoming {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: RequestBody
  bytes: number
}

/**
 * Distinguishes the turns of conversations from everything else the CLI sends. Measured on CLI 2.1.197 and 2.1.325.
 *
 * Both send `x-claude-code-session-id` with every call and `x-claude-code-agent-id` with those of a sub-agent. Nothing marks
 * a side call, so it is recognized by its differences from a turn: token counts have a separate path or no system prompt;
 * titles force an output format; the classifier of auto mode has no tools and does not stream. Not streaming alone proves
 * nothing: after a cut stream 2.1.197 repeats the turn that way. Summaries (`/compact`) and side questions repeat the whole
 * conversation and differ only in the last message.
 */
export function modelRequestFrom(incoming: Incoming, agentKeys: readonly string[] = []): ModelRequest {
  const { method, path, headers, body, bytes } = incoming
  const agentId = headerOf(headers, 'x-claude-code-agent-id')
  const sessionId = headerOf(headers, 'x-claude-code-session-id') ?? sessionInMetadata(body)
  const kind = !isTurn(incoming) ? 'side' : agentId === undefined ? 'main' : 'agent'
  const first = kind === 'agent' ? firstUserText(body) : ''
  const agent = kind === 'agent' ? agentKeys.find((key) => first.includes(key)) : undefined
  return {
    kind,
    ...(agent !== undefined && { agent }),
    ...(agentId !== undefined && { agentId }),
    ...(sessionId !== undefined && { sessionId }),
    method,
    path,
    body,
    bytes,
    lastUserText: lastUserText(body),
    toolResults: toolResultsIn(body),
    aborted: false,
  }
}

function isTurn({ method, path, body }: Incoming): boolean {
  if (method !== 'POST' || path !== '/v1/messages') return false
  if (body.system === undefined) return false
  if (body.tools.length === 0 && !body.stream) return false
  if (body.tool_choice !== undefined || body.output_config?.format !== undefined) return false
  return !isSummary(body) && !isSideQuestion(body)
}

export function isSummary(body: RequestBody): boolean {
  return lastUserText(body).includes('<analysis> block followed by a <summary> block')
}

export function isSideQuestion(body: RequestBody): boolean {
  return rawLastUserText(body).includes('<system-reminder>This is a side question from the user')
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

const UserId = z.looseObject({ session_id: z.string() })

/** `metadata.user_id` is JSON in a string; it has the same id as the header. */
function sessionInMetadata(body: RequestBody): string | undefined {
  return UserId.safeParse(parseJson(body.metadata?.user_id ?? '')).data?.session_id
}
