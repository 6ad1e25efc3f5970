import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownLine, parseLine } from '../../../src/child/lines/child-line.ts'
import { NO_OPINION } from '../../../src/child/policy/hook-opinion.ts'
import { eventsOf } from '../../../src/child/lines/line-to-events.ts'
import { SessionEvent } from '../../../src/events/session-event.ts'
import { lineFrom, recording, storiesOf, VERSIONS } from '../../rig/cli/recordings.ts'
import { runs } from '../../rig/tools/property-runs.ts'
import { codePoint } from '../../rig/tools/code-point.ts'

const context = { sessionId: 'a-session', opinion: () => NO_OPINION }
const eventsOfText = (text: string): SessionEvent[] => eventsOf(parseLine(lineFrom(text)), context)
const typesOf = (text: string): string[] => eventsOfText(text).map(({ type }) => type)

const LINES = VERSIONS.flatMap((version) =>
  storiesOf(version).flatMap((story) => recording(version, story).map(({ text }) => text)),
)
const linesLike = (...texts: string[]): string[] =>
  LINES.filter((line) => texts.every((text) => line.includes(text)))

type Path = readonly (string | number)[]

/** Where something can be taken away or changed. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [[...at, key], ...pathsIn(inner, [...at, key])])
}

function changed(line: string, path: Path, change: { value: unknown } | 'removed'): string {
  const json = JSON.parse(line) as Record<string | number, unknown>
  const last = path.at(-1) ?? ''
  const holder = path.slice(0, -1).reduce((value, key) => value[key] as typeof json, json)
  if (change === 'removed') delete holder[last]
  else holder[last] = change.value
  return JSON.stringify(json)
}

/** Real lines with one field removed or of another kind, but for the fields that say what the line is. */
function spoilt(lines: readonly string[], ...kept: string[]): fc.Arbitrary<{ text: string; path: string }> {
  const change = fc.oneof(
    fc.constant('removed' as const),
    fc.record({
      value: fc.oneof(fc.constantFrom(null, 0, '', true, [], {}, [null], 'text'), fc.jsonValue()),
    }),
  )
  return fc.constantFrom(...lines).chain((line) => {
    const paths = pathsIn(JSON.parse(line)).filter((path) => !kept.includes(path.join('.')))
    return fc
      .record({ path: fc.constantFrom(...paths), change })
      .map((spoil) => ({ text: changed(line, spoil.path, spoil.change), path: spoil.path.join('.') }))
  })
}

/** The events of a line, after the schema has let them through. */
const checked = (text: string): SessionEvent[] => eventsOfText(text).map((event) => SessionEvent.parse(event))

test('a piece of a message is read as its schema reads it, also when something about it is odd', () => {
  const pieces = linesLike('"type":"stream_event"')
  const texts = fc.oneof(
    fc.constantFrom(...pieces),
    spoilt(pieces, 'type').map(({ text }) => text),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const json: unknown = JSON.parse(text)
      const { data = { type: 'unknown', json } } = KnownLine.safeParse(json)
      expect(parseLine(lineFrom(text))).toEqual(data)
    }),
    { numRuns: runs(1_000) },
  )
})

test('any text is read without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      expect(checked(text)).toEqual(eventsOfText(text))
    }),
  )
})

test('any JSON is read without an error', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(checked(text)).toEqual(eventsOfText(text))
    }),
  )
})

test('any JSON of a known kind is read without an error', () => {
  const types = fc.constantFrom(
    'stream_event',
    'assistant',
    'user',
    'result',
    'system',
    'control_request',
    'control_response',
    'control_cancel_request',
    'conversation_reset',
  )
  const field = fc.constantFrom('subtype', 'message', 'event', 'request_id', 'request', 'response', 'usage')
  const line = fc
    .tuple(types, fc.dictionary(field, fc.jsonValue()))
    .map(([type, rest]) => ({ ...rest, type }))
  fc.assert(
    fc.property(line, (value) => {
      const text = JSON.stringify(value)
      expect(checked(text)).toEqual(eventsOfText(text))
    }),
  )
})

test('a real line with any field removed or changed is read without an error', () => {
  fc.assert(
    fc.property(spoilt(LINES), ({ text }) => {
      expect(checked(text)).toEqual(eventsOfText(text))
    }),
    { numRuns: runs(1_000) },
  )
})

test('a spoilt result still ends the turn', () => {
  fc.assert(
    fc.property(spoilt(linesLike('"type":"result"'), 'type'), ({ text }) => {
      expect(typesOf(text)).toContain('turn.ended')
    }),
    { numRuns: runs(500) },
  )
})

test('a spoilt question is opened, or refused as unknown, or counts as unread: never dropped', () => {
  const questions = linesLike('"subtype":"can_use_tool"')
  fc.assert(
    fc.property(spoilt(questions, 'type'), ({ text, path }) => {
      const [type, ...more] = typesOf(text)
      expect(more).toEqual([])
      // Without its id nobody could answer it.
      const unanswerable = path === 'request_id' ? ['line.unparsed'] : []
      expect(['approval.opened', 'request.unknown', ...unanswerable]).toContain(type)
    }),
    { numRuns: runs(500) },
  )
})

test('a spoilt hook is never answered with an error, and asks when it cannot be read', () => {
  const hooks = linesLike('"subtype":"hook_callback"')
  fc.assert(
    fc.property(spoilt(hooks, 'type', 'request', 'request.subtype', 'request_id'), ({ text }) => {
      const { request } = JSON.parse(text) as { request: { input?: { tool_name?: unknown } } }
      const readable = typeof request.input?.tool_name === 'string'
      expect(eventsOfText(text)).toMatchObject([{ type: 'tool.seen', opinion: readable ? 'none' : 'ask' }])
    }),
    { numRuns: runs(500) },
  )
})

test('a tool result becomes an event whatever happens to the fields around it', () => {
  const results = linesLike('"type":"user"', '"type":"tool_result"')
  const kept = ['type', 'message', 'message.content', 'message.content.0']
  fc.assert(
    fc.property(
      spoilt(results, ...kept, 'message.content.0.type', 'message.content.0.tool_use_id', 'isReplay'),
      ({ text }) => {
        expect(typesOf(text)).toEqual(['tool.finished'])
      },
    ),
    { numRuns: runs(500) },
  )
})

test('a line that was cut or is no JSON keeps its beginning and its length', () => {
  const text = `{"type":"result","x":"${'y'.repeat(5_000)}`
  expect(parseLine({ text: '{"type":"result"}', bytes: 99, cut: true })).toEqual({
    type: 'unparsed',
    text: '{"type":"result"}',
    bytes: 99,
  })
  const line = parseLine(lineFrom(text))
  expect(line).toEqual({ type: 'unparsed', text: text.slice(0, 2_048), bytes: text.length })
})

test.each(['null', '7', '"text"', 'true', '', ' ', '{"a":', 'Warning: something'])(
  'what is no object is unparsed: %s',
  (text) => {
    expect(typesOf(text)).toEqual(['line.unparsed'])
  },
)
