import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { say, type Scenario, tools, use } from '../../../src/demo/scenario.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { ME, startEngine } from '../../rig/hubs/engines.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'
import { clients, httpClient, stdioClient } from '../../rig/clients/mcp-clients.ts'
import { MODEL, pairedClient } from '../../rig/clients/mcp-pair.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

const TOUCH: Scenario = { main: [tools(use('Bash', { command: 'touch made' })), say('It is made.')] }
const STRANGER = { ...MODEL, id: asCallerId('client other'), kind: 'client' as const, name: 'other' }
const OPTIONS = { uri: 'plexus://start-options' }
const SESSIONS = 'plexus://sessions'

async function startedIn(place: HubPlace, hub: Hub): Promise<string> {
  const options = { workingDirectory: place.project }
  const { id } = await hub.call<Session>('createSession', { options })
  place.sessions.add(id)
  return id
}

describe.each(clients)('with a client of %s whose connection lasts', (kind) => {
  test('sessions are listed and read: who asked for what, and who decided', async () => {
    const rig = await startEngine('here on sqlite', TOUCH)
    const sessionId = await rig.start('make it', { name: 'maker' })
    const { id: approvalId } = await rig.question(sessionId)
    await rig.engine.answer(ME, { approvalId, answers: ['allow'] })
    await rig.wait(sessionId)
    const client = await pairedClient(kind, rig)
    const uri = `${SESSIONS}/${sessionId}`
    expect(await client.resources()).toMatchObject([{ uri: SESSIONS }, OPTIONS, { uri, title: 'maker' }])
    expect(await client.templates()).toMatchObject([
      { uriTemplate: `${SESSIONS}/{id}` },
      { uriTemplate: `${SESSIONS}/{id}{?after,from}` },
    ])
    expect(JSON.parse(await client.read(SESSIONS))).toMatchObject({
      sessions: [{ sessionId, name: 'maker', status: 'done', uri }],
    })
    const transcript = await client.read(uri)
    for (const text of ['make it', 'touch made', `**allowed** by operator (${approvalId})`, 'It is made.'])
      expect(transcript).toContain(text)
    expect(await client.read(`${uri}?after=0`)).toContain('It is made.')
  })

  test('what a caller may not see cannot be read, and is not announced', async () => {
    const rig = await startEngine('here on sqlite', TOUCH)
    const sessionId = await rig.start()
    const client = await pairedClient(kind, rig, { caller: STRANGER })
    const mine = await pairedClient(kind, rig)
    const uri = `${SESSIONS}/${sessionId}`
    expect(await client.resources()).toMatchObject([{ uri: SESSIONS }, OPTIONS])
    expect(JSON.parse(await client.read(SESSIONS))).toEqual({ sessions: [] })
    const message: unknown = expect.stringContaining('There is no resource')
    await expect(client.read(uri)).rejects.toMatchObject({ code: -32602, message, data: { uri } })
    await mine.resources()
    await mine.subscribe(SESSIONS, uri)
    await client.subscribe(SESSIONS)
    await client.subscribe(uri).catch(() => {})
    const { id: approvalId } = await rig.question(sessionId)
    await rig.engine.answer(ME, { approvalId, answers: ['allow'] })
    await rig.wait(sessionId)
    await eventually(() => expect(mine.notified).toContain(uri))
    // Whatever it could be told of by now, it would have been: its own session's news come behind it.
    const own = await rig.parts.app.engine.createSession(
      { caller: STRANGER },
      { options: (await rig.create()).config },
    )
    rig.track(own)
    await rig.parts.app.engine.startTurn({ caller: STRANGER }, { sessionId: own.id, content: 'go' })
    await eventually(() => expect(client.notified).toContain(SESSIONS))
    expect(client.notified).not.toContain(uri)
    expect(client.notified.filter((one) => one !== 'list' && one !== SESSIONS)).toEqual([])
  })
})

describe.each(clients)('with a client of %s over HTTP', (kind) => {
  test('a subscriber is notified of a new session, of a question and of its answer', async () => {
    const place = await hubPlace({ scenario: TOUCH })
    const hub = await place.start()
    const client = await httpClient(kind, hub)
    const sessionId = await startedIn(place, hub)
    const uri = `${SESSIONS}/${sessionId}`
    await client.resources()
    await client.subscribe(SESSIONS, uri)
    await hub.call('startTurn', { sessionId, content: 'make it' })
    await eventually(async () => expect(await client.read(uri)).toContain('**Asks**'))
    await eventually(() => expect(client.notified).toEqual(expect.arrayContaining([SESSIONS, uri])))
    const before = client.notified.length
    const [{ id: approvalId } = { id: '' }] = await hub.call<{ id: string }[]>('pending')
    await hub.call('answer', { approvalId, answers: ['allow'] })
    await eventually(() =>
      expect(client.notified.slice(before)).toEqual(expect.arrayContaining([SESSIONS, uri])),
    )
    const another = await startedIn(place, hub)
    await hub.call('startTurn', { sessionId: another, content: 'make it' })
    await eventually(() => expect(client.notified).toContain('list'))
    expect(client.notified).not.toContain(`${SESSIONS}/${another}`)
  })
})

describe.each(['sdk 1', '2026'] as const)('with a client of %s that has started plexus mcp', (kind) => {
  test('a subscriber, by id or by name, is notified of what happens in a session, and no hub is started for that', async () => {
    const place = await hubPlace({ scenario: TOUCH })
    const client = await stdioClient(kind, place)
    expect(await client.resources()).toMatchObject([{ uri: SESSIONS }, OPTIONS])
    if (kind !== '2026') await client.subscribe(SESSIONS)
    expect(existsSync(place.home)).toBe(false)
    const hub = await place.start()
    const options = { workingDirectory: place.project, name: 'maker' }
    const { id } = await hub.call<Session>('createSession', { options })
    place.sessions.add(id)
    const uris = [`${SESSIONS}/${id}`, `${SESSIONS}/maker`]
    await client.subscribe(SESSIONS, ...uris)
    await hub.call('startTurn', { sessionId: id, content: 'make it' })
    await eventually(() =>
      expect(client.notified).toEqual(expect.arrayContaining(['list', SESSIONS, ...uris])),
    )
    await hub.kill('SIGKILL')
    // Whoever only looks on has nothing to call, and sees that it is gone.
    await eventually(async () => expect(await client.resources()).toMatchObject([{ uri: SESSIONS }, OPTIONS]))
    expect(await place.running()).toBeUndefined()
  })
})
