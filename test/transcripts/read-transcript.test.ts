import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SessionEvent } from '../../src/events/session-event.ts'
import { readTranscript } from '../../src/transcripts/read-transcript.ts'
import { eventsOfTranscriptLine } from '../../src/transcripts/transcript-events.ts'
import { readLineOf } from '../../src/transcripts/transcript-line.ts'
import { TurnsOfTranscript } from '../../src/transcripts/transcript-turns.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { answer, eventsIn, lines, prompt, write } from './recorded.ts'
import { runs } from '../rig/tools/property-runs.ts'

const read = (text: string) => readLineOf({ text, bytes: Buffer.byteLength(text), cut: false, end: 0 })

function typesOf(content: readonly object[]): string[] {
  const turns = new TurnsOfTranscript()
  const events = content.flatMap((line) => turns.push(read(JSON.stringify(line))))
  return [...events, ...turns.end()].map((event) =>
    'outcome' in event ? `${event.type} ${event.outcome}` : event.type,
  )
}

const calls = (text: string) =>
  answer('', {
    message: {
      content: [
        { type: 'text', text },
        { type: 'tool_use', id: 't', name: 'Bash', input: {} },
      ],
    },
  })

test('a turn that still runs has no end', () => {
  expect(typesOf([prompt('p'), calls('looking')])).toEqual([
    'turn.started',
    'prompt.accepted',
    'text',
    'tool.used',
  ])
  const half = answer('I will look', {
    message: { content: [{ type: 'text', text: 'x' }], stop_reason: 'tool_use' },
  })
  expect(typesOf([prompt('p'), half])).not.toContain('turn.ended done')
})

test('text before a call does not end the turn, text before the next prompt does', () => {
  expect(typesOf([prompt('p'), answer('one'), calls('two'), answer('three'), prompt('q')])).toEqual([
    'turn.started',
    'prompt.accepted',
    'text',
    'text',
    'tool.used',
    'text',
    'turn.ended done',
    'turn.started',
    'prompt.accepted',
  ])
})

test('a prompt before the last message does not start a turn', () => {
  const told = typesOf([prompt('p'), calls('looking'), prompt('and this'), answer('a')])
  expect(told.filter((type) => type.startsWith('turn.'))).toEqual(['turn.started', 'turn.ended done'])
})

test('a background task that wakes the session starts a turn without a prompt', () => {
  const woken = prompt('<task-notification>…</task-notification>')
  expect(typesOf([prompt('p'), answer('a'), woken, answer('b')])).toEqual([
    'turn.started',
    'prompt.accepted',
    'text',
    'turn.ended done',
    'turn.started',
    'text',
    'turn.ended done',
  ])
})

test('sub-agents, summaries and unknown kinds are omitted, malformed lines are not', async () => {
  const config = await temporaryFolder()
  const content = [
    prompt('sub', { isSidechain: true }),
    answer('sub', { isSidechain: true }),
    prompt('summary', { isCompactSummary: true }),
    { type: 'atis-latch' },
    { type: 'system', subtype: 'unheard of' },
  ]
  const path = await write(config, `${lines(content)}not json\n{"type":"user","mess`)
  expect(await eventsIn(path)).toEqual([{ type: 'line.unparsed', text: 'not json', bytes: 8 }])
})

test('a missing transcript is an error that says so', async () => {
  const path = join(await temporaryFolder(), 'gone.jsonl')
  await expect(eventsIn(path)).rejects.toMatchObject({ code: 'not_found' })
})

test('reading can be stopped', async () => {
  const path = await write(await temporaryFolder(), [prompt('p')])
  const reading = async () => {
    for await (const event of readTranscript(path, AbortSignal.abort())) void event
  }
  await expect(reading()).rejects.toThrow('aborted')
})

test('a line past the cap becomes an event, and the next lines are read', async () => {
  const path = join(await temporaryFolder(), 'long.jsonl')
  await writeFile(path, [Buffer.alloc(33 * 1024 * 1024, 'x'), '\n', lines([prompt('after')])])
  const events = await eventsIn(path)
  expect(events.map(({ type }) => type)).toEqual(['line.unparsed', 'turn.started', 'prompt.accepted'])
})

test('an answer that was written before its prompt comes after it', async () => {
  const config = await temporaryFolder()
  const asked = prompt('p', { uuid: 'u1', parentUuid: null })
  const attached = { type: 'attachment', uuid: 'u2', parentUuid: 'u1', attachment: {} }
  const answered = answer('a', { uuid: 'u3', parentUuid: 'u2' })
  const took = { type: 'system', subtype: 'turn_duration', durationMs: 7, uuid: 'u4', parentUuid: 'u3' }
  const path = await write(config, [took, answered, asked, attached, prompt('q')])
  expect(await eventsIn(path)).toEqual([
    expect.objectContaining({ type: 'turn.started' }),
    expect.objectContaining({ type: 'prompt.accepted' }),
    expect.objectContaining({ type: 'text', text: 'a' }),
    { type: 'turn.ended', outcome: 'done', result: 'a', durationMs: 7 },
    expect.objectContaining({ type: 'turn.started' }),
    expect.objectContaining({ type: 'prompt.accepted', content: 'q' }),
  ])
})

test('no line is lost if its parent never comes', async () => {
  const config = await temporaryFolder()
  const texts = Array.from({ length: 100 }, (_, at) => `text ${at}`)
  const orphans = texts.map((text, at) =>
    answer(text, { uuid: `u${at}`, parentUuid: at === 70 ? 'lost' : `u${at - 1}` }),
  )
  const told = await eventsIn(await write(config, orphans))
  expect(told.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual(texts)
})

test('whatever a line contains, it becomes valid events', () => {
  const kinds = ['user', 'assistant', 'attachment', 'system', 'summary']
  const block = fc.dictionary(
    fc.constantFrom('type', 'text', 'id', 'name', 'tool_use_id', 'content'),
    fc.jsonValue(),
  )
  const odd = fc.record(
    {
      type: fc.oneof(fc.constantFrom(...kinds), fc.jsonValue()),
      uuid: fc.jsonValue(),
      message: fc.oneof(fc.jsonValue(), fc.record({ content: fc.oneof(fc.string(), fc.array(block)) })),
      attachment: fc.oneof(
        fc.jsonValue(),
        fc.record({ type: fc.constant('queued_command'), prompt: fc.jsonValue() }),
      ),
      compactMetadata: fc.jsonValue(),
      sessionId: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  )
  const text = fc.oneof(
    odd.map((line) => JSON.stringify(line)),
    fc.string(),
    fc.json(),
  )
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const turns = new TurnsOfTranscript()
      const events = [...texts.flatMap((one) => turns.push(read(one))), ...turns.end()]
      for (const event of events) SessionEvent.parse(event)
      const bare = texts.flatMap((one) => eventsOfTranscriptLine(read(one)))
      expect(events.filter(({ type }) => !type.startsWith('turn.'))).toEqual(bare)
    }),
    { numRuns: runs(1000) },
  )
})
