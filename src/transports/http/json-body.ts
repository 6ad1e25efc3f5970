import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from './read-body.ts'
import { refusal, refuse } from './reply.ts'
import { isJson, isTooDeep, TOO_DEEP } from './request-guards.ts'

/** The body, if its type, size and depth are valid; otherwise the request is refused and this is undefined. */
export async function jsonBody(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string | undefined> {
  const no = (status: number, message: string): undefined => {
    refuse(request, response, refusal(status, 'invalid_input', message))
  }
  if (!isJson(request.headers['content-type'])) return no(415, 'Send application/json.')
  const body = await readBody(request, response)
  if (body === undefined) return no(413, 'The body may have at most 16 MiB.')
  return isTooDeep(body) ? no(400, TOO_DEEP) : body
}
