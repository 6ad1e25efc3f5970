import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'

const SECRET = 'sk-ant-api03-not-a-real-key-0123456789'
const asks = { main: [tools(use('Bash', { command: `echo ${SECRET} > made` })), say('made')] }

/** A session that waits for an answer, and its question. */
async function waiting(place: HubPlace, hub: Hub, more = {}): Promise<[Session, PendingQuestion]> {
  const options = { workingDirectory: place.project }
  const { id } = await hub.call<Session>('createSession', { options, ...more })
  place.sessions.add(id)
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  const [session] = await hub.call<Session[]>('waitFor', { sessionIds: [id], seconds: 50 })
  const [question] = await hub.call<PendingQuestion[]>('pending', { sessionId: id })
  if (!session || !question) throw new Error('It did not ask.')
  return [session, question]
}

/** Reads an event stream until this event has come. */
async function streamUntil(hub: Hub, path: string, type: string, headers = {}): Promise<string> {
  const stop = new AbortController()
  const response = await fetch(`${hub.url}${path}`, {
    headers: { authorization: `Bearer ${hub.token}`, ...headers },
    signal: stop.signal,
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  let read = ''
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    read += Buffer.from(chunk).toString()
    if (read.includes(`"type":"${type}"`) && read.endsWith('\n\n')) break
  }
  stop.abort()
  return read
}

const eventsIn = (stream: string): StoredEvent[] =>
  [...stream.matchAll(/^id: (\d+)\ndata: (.*)$/gm)].map(([, id, data]) => {
    const event = JSON.parse(data ?? '') as StoredEvent
    expect(event.seq).toBe(Number(id))
    return event
  })

test('a stream of events continues where its reader was, by Last-Event-ID before after, also in the next hub', async () => {
  const place = await hubPlace({ scenario: asks })
  const hub = await place.start()
  const [{ id }, question] = await waiting(place, hub)
  const first = eventsIn(await streamUntil(hub, `/events?session=${id}`, 'approval.opened'))
  expect(first.map(({ seq }) => seq)).toEqual(first.map((_, at) => at + 1))
  await hub.kill('SIGKILL')
  const next = await place.start()
  await next.call('answer', { approvalId: question.id, answers: ['allow'] })
  const resumed = { 'last-event-id': String(first.length) }
  const rest = eventsIn(await streamUntil(next, `/events?session=${id}&after=1`, 'turn.ended', resumed))
  expect(rest[0]?.seq).toBe(first.length + 1)
  const from = eventsIn(await streamUntil(next, `/events?session=${id}&after=2`, 'turn.ended'))
  expect(from[0]?.seq).toBe(3)
  const { events } = await next.call<{ events: StoredEvent[] }>('readEvents', { sessionId: id })
  expect([...first, ...rest]).toEqual(events.slice(0, first.length + rest.length))
})

test('a stream of a session that is not there is refused, and so is a place that is no number', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const headers = { authorization: `Bearer ${hub.token}` }
  const statusOf = async (path: string) => (await fetch(`${hub.url}${path}`, { headers })).status
  expect(await statusOf('/events?session=x')).toBe(404)
  expect(await statusOf('/events?sessionId=x')).toBe(400)
  expect(await statusOf('/events?session=x&after=-1')).toBe(400)
  expect(await statusOf('/events?session=x&after=1e3')).toBe(400)
})

test('S16, S17: a client that says it is a model may not bypass, may not answer for a person, and its questions expire', async () => {
  const place = await hubPlace({ scenario: asks, env: { PERMISSION_TIMEOUT_MS: '123000' } })
  const hub = await place.start()
  const model = { 'x-plexus-model': '1' }
  const options = { workingDirectory: place.project, permissionMode: 'bypassPermissions' }
  await expect(hub.call('createSession', { options }, model)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await hub.call('createSession', { options })).toMatchObject({ timeoutMs: 0 })
  const plain = { workingDirectory: place.project }
  expect(await hub.call('createSession', { options: plain }, model)).toMatchObject({ timeoutMs: 123_000 })
  const own = { options: plain, timeoutMs: 5 }
  expect(await hub.call('createSession', own, model)).toMatchObject({ timeoutMs: 5 })
  const [, question] = await waiting(place, hub, { answerers: 'person' })
  const answer = { approvalId: question.id, answers: ['allow'] }
  await expect(hub.call('answer', answer, model)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await hub.call('answer', answer)).toMatchObject({ status: 'allowed', via: 'rpc' })
})

test('the figures count sessions, questions and what they waited, and the log says who decided what', async () => {
  const place = await hubPlace({ scenario: asks })
  const hub = await place.start()
  const [{ id }, question] = await waiting(place, hub)
  const headers = { authorization: `Bearer ${hub.token}` }
  const figures = async () => (await fetch(`${hub.url}/metrics`, { headers })).text()
  const before = await figures()
  expect(before).toContain('plexus_sessions{state="waiting"} 1\n')
  expect(before).toContain('plexus_approvals{status="pending"} 1\n')
  expect(before).toMatch(/^plexus_oldest_pending_seconds 0\.\d+$|^plexus_oldest_pending_seconds [1-9]/m)
  expect(before).toMatch(/^plexus_events_stored_total [1-9]\d*$/m)
  await hub.call('answer', { approvalId: question.id, answers: ['deny'] })
  await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
  const after = await figures()
  expect(after).toContain('plexus_sessions{state="done"} 1\n')
  expect(after).toContain('plexus_approvals{status="denied"} 1\n')
  expect(after).toContain('plexus_approval_wait_seconds_count 1\n')
  expect(after).toContain('plexus_oldest_pending_seconds 0\n')
  for (const line of after.trimEnd().split('\n'))
    expect(line).toMatch(/^# (HELP|TYPE) plexus_\w+ .+$|^plexus_\w+(\{\w+="[^"]+"\})? [\d.e+-]+$/)

  await hub.call('stopSession', { sessionId: id })
  // An answer does not wait for the log.
  await eventually(() => expect(place.stderr).toContain("A session's process ended."))
  await hub.kill('SIGTERM')
  const logged = place.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  const [session, approval] = [id, question.id]
  expect(logged).toMatchObject([
    { level: 'info', message: 'The hub is ready.', url: hub.url },
    { level: 'info', message: 'A session was created.', session, owner: 'operator' },
    { level: 'info', message: 'A question was opened.', session, approval, kind: 'tool', tool: 'Bash' },
    {
      level: 'info',
      message: 'A question was settled.',
      session,
      approval,
      status: 'denied',
      by: 'operator',
    },
    { level: 'info', message: "A session's process ended.", session, stopped: true },
    { level: 'info', message: 'The hub stops.', reason: 'SIGTERM' },
  ])
  expect(place.stderr).not.toContain('made') // nothing of what the child wanted, nor of what it said
})

async function placeThatTells(onQuestion: string): Promise<HubPlace> {
  const place = await hubPlace({ scenario: asks })
  await mkdir(place.home, { mode: 0o700 })
  await writeFile(join(place.home, 'config.json'), JSON.stringify({ on_question: onQuestion }), {
    mode: 0o600,
  })
  return place
}

test('a command is run for each question, a second time if it fails, without a secret', async () => {
  const place = await placeThatTells('cat >> "$HOME/told"; echo >> "$HOME/told"; env > "$HOME/env"; exit 1')
  const hub = await place.start()
  const [{ id }, question] = await waiting(place, hub)
  const told = await eventually(async () => {
    const lines = (await readFile(join(place.folder, 'told'), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(2)
    return lines
  })
  expect(told[0]).toBe(told[1])
  expect(JSON.parse(told[0] ?? '')).toMatchObject({
    sessionId: id,
    approvalId: question.id,
    kind: 'tool',
    toolName: 'Bash',
    questions: [{ question: 'Claude wants to use Bash: echo sk-… > made', options: ['allow', 'deny'] }],
  })
  expect(told.join()).not.toContain(SECRET)
  expect(await readFile(join(place.folder, 'env'), 'utf8')).not.toMatch(/ANTHROPIC|TOKEN|PLEXUS/)
  await eventually(() => expect(place.stderr).toContain('on_question failed.'))
  await hub.call('answer', { approvalId: question.id, answers: ['allow'] })
  const [done] = await hub.call<Session[]>('waitFor', { sessionIds: [id], seconds: 50 })
  expect(done?.status).toBe('done')
})

test('a URL gets each question, a second time if it fails, and a redirect is not followed', async () => {
  const bodies: string[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    bodies.push(await text(request))
    response.writeHead(bodies.length === 1 ? 302 : 204, { location: '/elsewhere' }).end()
  }
  const listening = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')
  onTestFinished(() => void listening.close())
  await once(listening, 'listening')
  const address = listening.address()
  const port = typeof address === 'object' ? address?.port : 0
  const place = await placeThatTells(`http://127.0.0.1:${port}/here`)
  const hub = await place.start()
  const [, question] = await waiting(place, hub)
  await eventually(() => expect(bodies).toHaveLength(2))
  expect(JSON.parse(bodies[1] ?? '')).toMatchObject({ approvalId: question.id })
  expect(place.stderr).not.toContain('on_question failed.')
})
