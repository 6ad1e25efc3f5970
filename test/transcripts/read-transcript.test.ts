import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SessionEvent } from '../../src/events/session-event.ts'
import { readTranscript } from '../../src/transcripts/read-transcript.ts'
import { eventsOfTranscriptLine } from '../../src/transcripts/transcript-events.ts'
import { TurnsOfTranscript } from '../../src/transcripts/transcript-turns.ts'
import { temporaryFolder } from '../rig/real-cli.ts'
import { answer, eventsIn, lines, prompt, write } from './recorded.ts'

const split = (text: string) => ({ text, bytes: Buffer.byteLength(text), cut: false, end: 0 })

function typesOf(content: readonly object[]): string[] {
  const turns = new TurnsOfTranscript()
  const events = content.flatMap((line) => turns.push(split(JSON.stringify(line))))
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

test('a turn that still goes on has no end', () => {
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

test('text before a call is not the last word, text before the next prompt is', () => {
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

test('a background task that wakes the session begins a turn without a prompt', () => {
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

test('sub-agents, summaries and unknown kinds are left out, broken lines are not', async () => {
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

test('a transcript that is not there is an error that says so', async () => {
  const path = join(await temporaryFolder(), 'gone.jsonl')
  await expect(eventsIn(path)).rejects.toMatchObject({ code: 'not_found' })
})

test('reading can be stopped', async () => {
  const path = await write(await temporaryFolder(), [prompt('p')])
  const read = async () => {
    for await (const event of readTranscript(path, AbortSignal.abort())) void event
  }
  await expect(read()).rejects.toThrow('aborted')
})

test('a line past the cap is told and does not stop what follows', async () => {
  const path = join(await temporaryFolder(), 'long.jsonl')
  await writeFile(path, [Buffer.alloc(33 * 1024 * 1024, 'x'), '\n', lines([prompt('after')])])
  const events = await eventsIn(path)
  expect(events.map(({ type }) => type)).toEqual(['line.unparsed', 'turn.started', 'prompt.accepted'])
})

test('whatever a line holds, it becomes valid events', () => {
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
      const events = [...texts.flatMap((one) => turns.push(split(one))), ...turns.end()]
      for (const event of events) SessionEvent.parse(event)
      const bare = texts.flatMap((one) => eventsOfTranscriptLine(split(one)))
      expect(events.filter(({ type }) => !type.startsWith('turn.'))).toEqual(bare)
    }),
    { numRuns: 1000 },
  )
})
