import type { IncomingMessage } from 'node:http'
import type { CallEvent, CallOutcome } from '../api/operation/operation-call.ts'
import { AppError, ERROR_CODES } from '../base/errors.ts'
import { VERSION } from '../base/version.ts'
import { parseJson } from '../text/json-text.ts'
import type { OperationOptions } from './hub-connection.ts'

/** What a call of an operation comes to. The result is a text of JSON, to be passed on unread. */
export interface HubAnswer extends CallOutcome {
  readonly resultText: string
}

/** Nobody knows how far the hub got: what only looks can be asked again, what changes something cannot. */
export class HubLost extends AppError {
  constructor(cause: unknown) {
    super('busy', 'The hub went away before it answered; look at the session before you do this again.', {
      cause,
    })
  }
}

/** Nobody has the token that was sent, so nothing was done. */
export class UnknownToken extends AppError {
  constructor() {
    super('forbidden', 'The hub does not know this token; take the one in its home folder.')
  }
}

/** The result in a response of JSON-RPC; its error is thrown as what it was in the hub. */
export function resultIn(message: unknown): unknown {
  if (!isObject(message) || !('result' in message || 'error' in message)) throw noAnswer()
  const { result, error } = message
  if (isObject(error)) throw errorFrom(error['message'], isObject(error['data']) ? error['data'] : {})
  return result
}

/** It is not ready yet, or about to go, and has not looked at what it was asked. */
export function isNotNow({ statusCode }: IncomingMessage, text: string): boolean {
  return statusCode === 503 && text === ''
}

/** What is refused before it is a call: a wrong token, a path or a size that the hub does not take. */
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

/** By its events: a stream that is iterated over takes several turns of the loop more, and most answers are one chunk. */
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

/** Reads lines for what happens and one for the outcome; the rest is the result. */
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
  const known = ERROR_CODES.find((one) => one === code) ?? 'internal'
  return new AppError(known, String(message), Object.keys(data).length > 0 ? { data } : {})
}

function noAnswer(): AppError {
  return new AppError('internal', 'The hub answered with something that is no answer.')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const OLDER_HUB = `The hub that runs is an older Plexus than this client (${VERSION}) and cannot take its calls; stop it, or update the program that runs it to ${VERSION}, and try again.`
