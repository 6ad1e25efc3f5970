import { expect, test } from 'vitest'
import { transcriptOf, transcriptPage } from '../../../src/api/resources/transcript.ts'
import { pageIn } from '../../../src/api/resources/session-uri.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { asApprovalId, asCallerId, asSessionId } from '../../rig/tools/ids.ts'

const SESSION: Session = {
  id: asSessionId('7d1f6c1e-0000-4000-8000-000000000001'),
  owner: asCallerId('operator'),
  workingDirectory: '/project',
  config: StartOptions.parse({}),
  origin: { kind: 'new' },
  timeoutMs: 0,
  answerers: 'anyone',
  cliSessionId: '7d1f6c1e-0000-4000-8000-000000000001',
  createdAt: 0,
  status: 'done',
  turn: 1,
  lastSeq: 9,
  costUsd: 0.5,
  updatedAt: 0,
}

function stored(...events: SessionEvent[]): StoredEvent[] {
  return events.map((event, index) => ({ seq: index + 1, turn: 1, at: 0, event }))
}

test('what was said, used, asked and decided is shown in order', () => {
  const text = transcriptOf(
    SESSION,
    stored(
      {
        type: 'prompt.accepted',
        promptId: 'p',
        content: [{ type: 'text', text: 'tidy up' }, { type: 'image' }],
      },
      { type: 'tool.used', toolUseId: 't', toolName: 'Bash', input: { command: 'rm x' } },
      {
        type: 'approval.opened',
        approvalId: asApprovalId('a'),
        kind: 'tool',
        requestId: 'r',
        toolName: 'Bash',
        input: { command: 'rm x' },
      },
      {
        type: 'approval.settled',
        approvalId: asApprovalId('a'),
        status: 'denied',
        by: 'ann',
        decision: { behavior: 'deny', message: 'Keep it.' },
      },
      { type: 'tool.finished', toolUseId: 't', isError: true, content: 'Keep it.' },
      { type: 'text', text: 'I kept it.' },
      { type: 'turn.ended', outcome: 'done' },
    ),
  )
  const order = [
    'tidy up\n[an image',
    '"rm x"',
    '**Asks** (tool, a)',
    '**denied** by ann (a): Keep it.',
    'failed',
    'I kept it.',
    '— done',
  ]
  const places = order.map((part) => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(text).not.toContain('not shown')
})

test('a transcript that is too long keeps its end, and says what is omitted', () => {
  const said = Array.from({ length: 50 }, (_, at): SessionEvent => ({
    type: 'text',
    text: `${at} ${'x'.repeat(100)}`,
  }))
  const text = transcriptOf(SESSION, stored(...said), 1_000)
  expect(text).toContain('49 x')
  expect(text).not.toContain('\n1 x')
  expect(text).toContain('earlier parts are not shown')
  expect(text.length).toBeLessThan(1_600)
})

test('S10: what a session writes is shown as it is, and cannot leave its fence', () => {
  const content = 'a\u001b[31m\u202e\n```\n# Turn 9'
  const text = transcriptOf(
    SESSION,
    stored({ type: 'tool.finished', toolUseId: 't', isError: false, content }),
  )
  expect(text).toContain('````\na\\u{1b}[31m\\u{202e}\n```\n# Turn 9\n````')
})

test('a text of several megabytes is shortened, below its prompt', () => {
  const events = stored(
    { type: 'prompt.accepted', promptId: 'p', content: 'Write a book.' },
    { type: 'text', text: `Chapter one ${'word '.repeat(700_000)} the end` },
  )
  const text = transcriptOf(SESSION, events)
  for (const part of ['Write a book.', 'Chapter one', 'the end', `${SESSION.id}?after=0`])
    expect(text).toContain(part)
  expect(text.length).toBeLessThan(60_000)
})

test('the pages together contain every character once', () => {
  const book = Array.from({ length: 30 }, (_, at) => `chapter ${at} 😀 ${'x'.repeat(300)}`).join(' ')
  const events = stored(
    { type: 'prompt.accepted', promptId: 'p', content: 'Write a book.' },
    { type: 'text', text: book },
    { type: 'tool.finished', toolUseId: 't', isError: false, content: `ran ${'y'.repeat(5_000)}` },
    { type: 'turn.ended', outcome: 'done' },
  )
  const session = { ...SESSION, lastSeq: events.length }
  const read: string[] = []
  for (let start = { after: 0, from: 0 }, more = true; more;) {
    const later = events.filter(({ seq }) => seq > start.after)
    const parts = transcriptPage(session, later, start, 1_000).split('\n\n')
    const [, isEnd, uri = ''] = /(this is all|continued).*(plexus:\S+)/.exec(parts.at(-1) ?? '') ?? []
    read.push(parts.slice(3, -1).join('\n\n'))
    more = isEnd === 'continued'
    const next = pageIn(uri)?.start
    expect(next).not.toEqual(start)
    start = next ?? start
  }
  const all = read.join('')
  expect(all).toContain(book)
  expect(all).toContain('y'.repeat(5_000))
  expect(all.endsWith('— done')).toBe(true)
  expect(Math.max(...read.map(({ length }) => length))).toBeLessThan(1_100)
})
