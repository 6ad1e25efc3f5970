import { expect, test } from 'vitest'
import { say } from '../../../src/demo/scenario.ts'
import { Command } from '../../../src/events/session-event.ts'
import type { Page } from '../../../src/sessions/record/read-events.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { supervise } from '../../rig/hubs/supervised.ts'

test.each(Command.options)(
  'the command %s is done when its turn is: no next process gets it again',
  async (command) => {
    const session = await supervise({ scenario: { main: [say('hello')] }, prompt: { command } })
    await session.event('turn.ended')
    const { promptId } = await session.event('prompt.accepted')
    expect(session.all('prompt.echoed')).toContainEqual({ type: 'prompt.echoed', promptId })
  },
)

/** A session in which something was said twice: 2.1.197 finds a single turn too short to compact. */
async function talkedTo() {
  const place = await hubPlace({ scenario: { main: () => say('fine') } })
  const hub = await place.start()
  const { id } = await hub.call<{ id: string }>('claudecode.create', { working_dir: place.project })
  place.sessions.add(id)
  const settled = async () => {
    await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
    return hub.call<Session>('getSession', { sessionId: id })
  }
  for (const prompt of ['one', 'two']) await hub.call('claudecode.chat', { session_id: id, prompt })
  return { place, hub, id, settled }
}

/** The four ways to give a command, and what the text is called there. */
const FACES = [
  ['startTurn', 'sessionId', 'content'],
  ['claude_say', 'sessionId', 'message'],
  ['claudecode.chat', 'session_id', 'prompt'],
  ['claudecode.chat_async', 'session_id', 'prompt'],
] as const

test('compact and clear are commands in every face that says something, and the status says what the context has come to', async () => {
  const { hub, id, settled, place } = await talkedTo()
  const full = await settled()
  expect(full.contextTokens).toBeGreaterThan(0)
  expect(full.contextWindow).toBeGreaterThan(full.contextTokens ?? 0)
  for (const [method, session] of FACES.slice(0, 2)) {
    await hub.call(method, { [session]: id, command: 'compact' })
    expect(await settled()).toMatchObject({ status: 'done' })
    await hub.call('claudecode.chat', { session_id: id, prompt: 'again' })
  }
  await hub.call('claude_say', { sessionId: id, command: 'compact', waitSeconds: 50 })
  const less = await hub.call<{ contextTokens: number }>('claude_status', { sessionId: id, waitSeconds: 0 })
  expect(less.contextTokens).toBeLessThan(full.contextTokens ?? 0)
  expect(await hub.call('claudecode.poll', { session_id: id, limit: 0 })).toMatchObject({
    context_tokens: less.contextTokens,
    context_window: full.contextWindow,
    cost_usd: expect.any(Number),
  })
  const before = (await settled()).cliSessionId
  await hub.call('claudecode.chat', { session_id: id, command: 'clear' })
  const cleared = await settled()
  expect(cleared).toMatchObject({ status: 'done' })
  expect(cleared).not.toHaveProperty('contextTokens')
  await hub.call('claudecode.chat_async', { session_id: id, command: 'clear' })
  expect(await settled()).toMatchObject({ status: 'done' })
  await hub.call('claudecode.chat', { session_id: id, prompt: 'a new one' })
  expect((await settled()).cliSessionId).not.toBe(before)
  expect(place.model.requests.filter(({ kind }) => kind === 'main')).toHaveLength(5)
  const { events } = await hub.call<Page>('readEvents', { sessionId: id, limit: 1_000 })
  const commands = events.flatMap(({ event }) => (event.type === 'prompt.accepted' ? event.command : []))
  expect(commands.filter(Boolean)).toEqual(['compact', 'compact', 'compact', 'clear', 'clear'])
})

/** One family throws its errors, the other returns them. */
const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

test('S21: a command is the field and nothing else; its name in a text is text, and a hint says so', async () => {
  const { hub, id, settled } = await talkedTo()
  const { turn } = await settled()
  for (const [method, session, text] of FACES) {
    const wrong = [
      {},
      { [text]: 'go', command: 'clear' },
      { command: 'init' },
      { command: '/clear' },
      { command: '' },
    ]
    for (const input of wrong)
      expect(await outcomeOf(hub.call(method, { [session]: id, ...input }))).toMatchObject({
        code: 'invalid_input',
      })
    expect(await outcomeOf(hub.call(method, { [session]: id }))).toMatchObject({
      message: `Give ${text} or command, exactly one of the two.`,
    })
  }
  expect(await settled()).toMatchObject({ turn })
  for (const [method, session, text] of FACES) {
    const told = await hub.call<{ hint: string }>(method, { [session]: id, [text]: '/compact now' })
    expect(told.hint).toContain('sent as text; to run it, give command compact')
    await settled()
  }
  expect(await hub.call('claude_say', { sessionId: id, message: ' /cost', waitSeconds: 50 })).toMatchObject({
    result: 'fine',
    hint: expect.stringContaining('/cost was sent as text; the status of the session shows'),
  })
  const plain = await hub.call('startTurn', { sessionId: id, content: '/compactor and /clear are words' })
  expect(plain).not.toHaveProperty('hint')
  expect(await settled()).toMatchObject({ status: 'done', turn: turn + 6 })
})
