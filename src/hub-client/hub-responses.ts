import type { IncomingMessage } from 'node:http'
import type { CallEvent, CallOutcome } from '../api/operation/operation-call.ts'
import { AppError, ERROR_CODES } from '../base/errors.ts'
import { VERSION } from '../base/version.ts'
import { parseJson } from '../text/json-text.ts'
import type { OperationOptions } from './hub-connection.ts'

/** The outcome of an operation. The result is JSON text, to be passed on without parsing. */
export interface HubAnswer extends CallOutcome {
  readonly resultText: string
}

/** It is unknown how far the hub got: a call that only reads can be retried, a call that changes something cannot. */
export class HubLost extends AppError {
  constructor(cause: unknown) {
    super('busy', 'The hub went away before it answered; check the session before you do this again.', {
      cause,
    })
  }
}

/** The token that was sent belongs to no caller, so nothing was done. */
export class UnknownToken extends AppError {
  constructor() {
    super('forbidden', 'The hub does not know this token; use the token in its home folder.')
  }
}

/** The result in a JSON-RPC response; an error of the hub is thrown as the same error. */
export function resultIn(message: unknown): unknown {
  if (!isObject(message) || !('result' in message || 'error' in message)) throw noAnswer()
  const { result, error } = message
  if (isObject(error)) throw errorFrom(error['message'], isObject(error['data']) ? error['data'] : {})
  return result
}

/** The hub is not ready yet, or about to end, and has not read the request. */
export function isNotNow({ statusCode }: IncomingMessage, text: string): boolean {
  return statusCode === 503 && text === ''
}

/** The error for a request that was refused before it became a call: a wrong token, path or size. */
export function refusal(status: number, body: unknown, path: string): AppError {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : undefined
  if (status === 404 && path === '/operation') return new AppError('busy', OLDER_HUB)
  if (!error)
    return new AppError(
      status >= 500 ? 'busy' : 'internal',
      `The hub answered with HTTP ${status}; try again.`,
    )
  if (status === 401) return new UnknownToken()
  const { message, ...data } = error
  return errorFrom(message, data)
}

/** With events, because iterating over the stream takes several more turns of the event loop, and most answers are one chunk. */
export function textOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    response
      .setEncoding('utf8')
      .on('data', (chunk: string) => (text += chunk))
      .once('end', () => resolve(text))
      .once('error', reject)
  })
}

/** Reads a line for each event and a line for the outcome; the rest is the result. */
export function answerIn(
  response: IncomingMessage,
  { signal, onEvent }: Pick<OperationOptions, 'signal' | 'onEvent'>,
): Promise<HubAnswer> {
  return new Promise((resolve, reject) => {
    let rest = ''
    let outcome: CallOutcome | undefined
    const lost = (cause: unknown) =>
      reject(signal.aborted && cause instanceof Error ? cause : new HubLost(cause))
    response
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        rest += chunk
        while (!outcome) {
          const end = rest.indexOf('\n')
          if (end < 0) return
          const line = lineIn(rest.slice(0, end))
          rest = rest.slice(end + 1)
          if (line?.type === 'outcome') outcome = line
          else if (line) onEvent(line)
        }
      })
      .once('end', () => {
        if (outcome) resolve({ ...outcome, resultText: rest })
        else lost(noAnswer())
      })
      .once('error', lost)
  })
}

type Line = CallEvent | (CallOutcome & { readonly type: 'outcome' })

function lineIn(text: string): Line | undefined {
  const line = parseJson(text)
  return isLine(line) ? line : undefined
}

/** The hub's lines are this same program's: their fields are not checked twice. */
function isLine(line: unknown): line is Line {
  return isObject(line) && typeof line['type'] === 'string'
}

function errorFrom(message: unknown, { code, ...data }: Readonly<Record<string, unknown>>): AppError {
  const known = ERROR_CODES.find((value) => value === code) ?? 'internal'
  return new AppError(known, String(message), Object.keys(data).length > 0 ? { data } : {})
}

function noAnswer(): AppError {
  return new AppError(
    'internal',
    'The hub answered with something that is not an answer; check that the client and the hub have the same version.',
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const OLDER_HUB = `The hub that runs is an older Plexus than this client (${VERSION}) and cannot take its calls; stop it, or update the program that runs it to ${VERSION}, and try again.`
