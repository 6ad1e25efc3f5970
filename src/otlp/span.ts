import { createHash } from 'node:crypto'
import { VERSION } from '../base/version.ts'
import { SERVICE } from './otlp-names.ts'

/** A span that has ended. Times are in ms since 1970. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string | undefined
  readonly name: string
  readonly from: number
  readonly to: number
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>
  readonly failed?: boolean | undefined
}

const MAX_NAME = 100
const INTERNAL = 1
const ERROR = 2

/** A trace is a session: its id is that of the session. */
export function traceIdOf(sessionId: string): string {
  const hex = sessionId.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? hex : hashOf(sessionId).slice(0, 32)
}

/** Derived from what the span is about, so that a span that is sent twice is the same span. */
export function spanIdOf(...about: readonly (string | number)[]): string {
  return hashOf(about.join('\n')).slice(0, 16)
}

/** The body of a request to a collector, in the JSON form of the protocol. */
export function traceRequest(spans: readonly Span[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': SERVICE, 'service.version': VERSION }) },
        scopeSpans: [{ scope: { name: SERVICE, version: VERSION }, spans: spans.map(spanJson) }],
      },
    ],
  }
}

function spanJson({ name, from, to, attributes, failed, parentSpanId, traceId, spanId }: Span): object {
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: name.slice(0, MAX_NAME),
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(Math.max(from, to)), // a clock may have been set back between
    attributes: attributesOf(attributes),
    status: failed === true ? { code: ERROR } : {},
  }
}

function attributesOf(attributes: Span['attributes']): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueOf(value) }],
  )
}

function valueOf(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value.slice(0, MAX_NAME) }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Text, because a number cannot hold it. */
function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms)) * 1_000_000n}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
