import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { NO_ROWS, rowAfter } from '../../src/audit/record-row.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { RecordSpans } from '../../src/otlp/record-spans.ts'
import { SpanSender } from '../../src/otlp/span-sender.ts'
import { allow, finished, opened, settled } from '../rig/cli/event-stories.ts'
import { asRunId } from '../rig/tools/ids.ts'
import { serveLocally } from '../rig/tools/local-server.ts'

interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number }
  attributes: { key: string; value: Record<string, unknown> }[]
}

/** A collector of our own: it answers with these statuses in turn, then with 200. */
async function collector(...statuses: number[]) {
  const spans: SentSpan[] = []
  const paths: string[] = []
  const port = await serveLocally((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      paths.push(request.url ?? '')
      const status = statuses.shift() ?? 200
      if (status === 200) spans.push(...spansIn(Buffer.concat(parts).toString()))
      response.writeHead(status).end('{}')
    })
  })
  return { url: `http://127.0.0.1:${port}`, spans, paths }
}

function spansIn(text: string): SentSpan[] {
  const request = JSON.parse(text) as {
    resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[]
  }
  return request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

const valuesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const session = { id: '0b0e7a1c-6f0d-4c55-9f3b-2d6a51d3a001', name: 'web', turn: 1, model: 'sonnet' }
const started: SessionEvent = { type: 'turn.started', cliSessionId: 'c' }
const used = (id: string): SessionEvent => ({
  type: 'tool.used',
  toolUseId: `tool-${id}`,
  toolName: 'Bash',
  input: { command: 'secret' },
})
const ended: SessionEvent = { type: 'turn.ended', outcome: 'done' }
const cost: SessionEvent = { type: 'cost.reported', total: 1, inputTokens: 10, outputTokens: 20 }

test('a turn, its calls and its questions are spans of one trace, denied questions too', async () => {
  const { url, spans, paths } = await collector()
  const sender = new SpanSender({ endpoint: url, onError: () => {}, everyMs: 1 })
  const deny = { behavior: 'deny', message: 'no' } as const
  const story: [number, SessionEvent[]][] = [
    [1_000, [started, used('1')]],
    [2_000, [opened('1', 'tool-1')]],
    [5_000, [{ ...settled('1', allow), by: 'operator', via: 'page' }]],
    [6_000, [finished('1'), used('2'), opened('2', 'tool-2')]],
    [7_000, [{ ...settled('2', deny), by: 'rule x', rule: 'x', via: 'rule' }]],
    [8_000, [{ ...finished('2'), isError: true }, cost, ended]],
  ]
  for (const [at, events] of story) sender.stored(session, events, at)
  await sender.close()
  expect(paths.every((path) => path === '/v1/traces')).toBe(true)
  expect(spans.map(({ name }) => name)).toEqual([
    'plexus.approval',
    'execute_tool Bash',
    'plexus.approval',
    'execute_tool Bash',
    'invoke_agent web',
  ])
  const [allowed, call, denied, failed, turn] = spans as [SentSpan, SentSpan, SentSpan, SentSpan, SentSpan]
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([session.id.replaceAll('-', '')]))
  expect(valuesOf(allowed)).toMatchObject({
    'plexus.approval.id': 'approval-1',
    'plexus.approval.decision': 'allowed',
    'plexus.approval.by': 'operator',
    'plexus.approval.scope': 'once',
  })
  expect(valuesOf(allowed)['plexus.approval.shown_hash']).toMatch(/^[0-9a-f]{64}$/)
  expect(valuesOf(denied)).toMatchObject({
    'plexus.approval.decision': 'denied',
    'plexus.approval.rule': 'x',
    'plexus.approval.scope': 'rule',
  })
  expect([allowed.startTimeUnixNano, allowed.endTimeUnixNano]).toEqual(['2000000000', '5000000000'])
  expect(allowed.parentSpanId).toBe(call.spanId)
  expect(call.parentSpanId).toBe(turn.spanId)
  expect(failed.status).toEqual({ code: 2 })
  expect(valuesOf(turn)).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.request.model': 'sonnet',
    'gen_ai.usage.input_tokens': '10',
    'plexus.outcome': 'done',
  })
  expect(JSON.stringify(spans)).not.toContain('secret')
})

test('a collector that fails is tried again, and after three times its spans are dropped and reported', async () => {
  const { url, spans, paths } = await collector(503, 503, 200, 500, 500, 500)
  const errors: string[] = []
  const sender = new SpanSender({
    endpoint: `${url}/v1/traces/`,
    onError: (one) => errors.push(one),
    everyMs: 1,
  })
  sender.stored(session, [started, ended], 1)
  await sender.close()
  expect(spans).toHaveLength(1)
  expect(errors).toEqual([])
  sender.stored(session, [started, ended], 2)
  await sender.close()
  expect(spans).toHaveLength(1)
  expect(errors).toEqual(['status 500'])
  expect(paths).toHaveLength(6)
  const gone = new SpanSender({
    endpoint: 'http://127.0.0.1:9',
    onError: (one) => errors.push(one),
    everyMs: 1,
  })
  gone.stored(session, [ended], 1)
  await gone.close()
  expect(errors.at(-1)).toBe('it could not be reached')
})

test('a process that ends takes its open calls with it, and a question outlasts it', async () => {
  const { url, spans } = await collector()
  const sender = new SpanSender({ endpoint: url, onError: () => {}, everyMs: 1 })
  sender.stored(session, [used('1'), opened('1', 'tool-1'), { type: 'run.ended', runId: asRunId('r') }], 1)
  sender.stored(session, [finished('1'), settled('1')], 2)
  sender.stored(session, [settled('unknown')], 3)
  await setImmediate()
  await sender.close()
  expect(spans.map(({ name }) => name)).toEqual(['plexus.approval', 'plexus.approval'])
  expect(spans.map((span) => valuesOf(span)['plexus.approval.decision'])).toEqual(['withdrawn', 'withdrawn'])
})

test('the record gives the same spans of its questions', () => {
  const spans = new RecordSpans()
  const about = { session: session.id, approvalId: 'a1', tool: 'Bash', toolUseId: 't1', shownSha256: 'ab' }
  const asked = rowAfter(NO_ROWS, { kind: 'asked', at: 1_000, body: about })
  const answered = rowAfter(asked, {
    kind: 'settled',
    at: 4_000,
    body: { ...about, status: 'denied', by: 'me' },
  })
  expect(spans.add(asked)).toEqual([])
  expect(spans.add(answered)[0]).toMatchObject({ name: 'plexus.approval', from: 1_000, to: 4_000 })
  expect(spans.add(rowAfter(answered, { kind: 'read', at: 1, body: { by: 7 } }))).toEqual([])
})
