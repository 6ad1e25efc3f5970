import type { IncomingMessage, ServerResponse } from 'node:http'
import { VERSION } from '../../base/version.ts'
import {
  type HookReply,
  NO_OPINION,
  type RelayedAsk,
  relayedAsk,
} from '../../engine/terminals/hook-question.ts'
import { jsonBody } from '../http/json-body.ts'
import type { Arrival } from '../http/listener.ts'
import { readBody } from '../http/read-body.ts'
import { reply, replyJson } from '../http/reply.ts'
import { isTooDeep } from '../http/request-guards.ts'
import type { PageFiles } from '../page/page-files.ts'
import { type SignIns, signInBy } from '../page/sign-in.ts'

export const TERMINAL_PATH = '/terminal/ask'

/** Takes a question of a CLI in a terminal. */
export type AskOfTerminal = (asked: RelayedAsk, gone: AbortSignal) => Promise<HookReply | undefined>

/** Whether the path needs no token; if so, it is answered, for everybody in the same way. */
export function answersOpenly(page: PageFiles, response: ServerResponse, { pathname }: URL): boolean {
  const file = page(pathname)
  if (file) reply(response, 200, file.body, file.headers)
  else if (pathname === '/healthz') replyJson(response, 200, { status: 'ok', version: VERSION })
  else return false
  return true
}

/** A browser sends a one-time code, and gets the token of a device. */
export async function signInRoute(
  devices: SignIns,
  request: IncomingMessage,
  response: ServerResponse,
  way: Parameters<typeof signInBy>[2],
): Promise<void> {
  const body = await jsonBody(request, response)
  if (body !== undefined) replyJson(response, 200, await signInBy(devices, body, way))
}

/**
 * A relay asks, and waits. What is not understood is no opinion, and so is every failure: an error would be one too. When the
 * hub ends there is no reply, and the relay asks the next hub.
 */
export async function terminalRoute(
  ask: AskOfTerminal,
  request: IncomingMessage,
  response: ServerResponse,
  { signal }: Arrival,
): Promise<void> {
  const body = request.method === 'POST' ? await readBody(request, response) : undefined
  const asked = body === undefined || isTooDeep(body) ? undefined : relayedAsk(request.headers, body)
  const answer = asked ? await ask(asked, signal) : NO_OPINION
  if (answer) replyJson(response, 200, answer)
  else response.destroy()
}
