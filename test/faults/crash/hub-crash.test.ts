import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { Crash } from '../../programs/supervisor.ts'
import { type Supervised, supervise } from '../../rig/hubs/supervised.ts'

const append = (text: string) => use('Bash', { command: `echo ${text} >> ran.txt` })
const ran = (session: Supervised) => readFile(join(session.project, 'ran.txt'), 'utf8')

test('R1: a question outlives the hub, and answering it after the restart runs the tool once', async () => {
  const session = await supervise({ scenario: { main: [tools(append('one')), say('done')] } })
  const asked = await session.event('approval.opened')
  await session.kill()
  await session.start()
  const again = await session.event('approval.opened')
  expect(again).toEqual(asked)
  await session.allow(again)
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(session.all('approval.opened')).toHaveLength(1)
  expect(await ran(session)).toBe('one\n')
})

/** Five points of a tool call's way, each hit at another call. */
const points: Crash[] = [
  { point: 'before-commit', event: 'tool.seen', nth: 1 },
  { point: 'after-commit', event: 'tool.seen', nth: 1 },
  { point: 'before-commit', event: 'approval.opened', nth: 1 },
  { point: 'after-commit', event: 'approval.settled', nth: 1 },
  { point: 'after-put', event: 'tool.finished', nth: 1 },
]

test('R1 R3 R27: killed at five points of six tool calls, the hub loses nothing and doubles nothing', async () => {
  const calls = ['a', 'b', 'c', 'd', 'e', 'f']
  const main = [...calls.map((call) => tools(append(call))), say('done')]
  const session = await supervise({ scenario: { main }, answer: 'allow', crash: points[0]! })
  for (const crash of points.slice(1)) {
    expect(await session.ended()).toBe('SIGKILL')
    await session.start({ crash })
  }
  expect(await session.ended()).toBe('SIGKILL')
  await session.start()
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done', result: 'done' })
  expect(await ran(session)).toBe('a\nb\nc\nd\ne\nf\n')
  expect(session.all('approval.opened')).toHaveLength(calls.length)
  await expectRecordIsOutput(session)
})

test('R1 R3: killed at random moments, the hub loses nothing and doubles nothing', async () => {
  const calls = Array.from({ length: 12 }, (_, index) => String(index))
  const main = [
    ...calls.map((call) => tools({ type: 'text', text: `call ${call}` }, append(call))),
    say('done'),
  ]
  const session = await supervise({ scenario: { main }, answer: 'allow' })
  for (let kills = 0; kills < 5; kills++) {
    // Whatever the supervisor is doing when this line of the child is on record.
    const at = 1 + kills * 2 + Math.floor(Math.random() * 2)
    await session.event('tool.used', at)
    await session.kill()
    await session.start()
  }
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done', result: 'done' })
  expect(await ran(session)).toBe(calls.map((call) => `${call}\n`).join(''))
  await expectRecordIsOutput(session)
})

test('R3: killed in mid-stream, the hub continues from the stored offset', async () => {
  const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')
  const session = await supervise({
    scenario: { main: [{ blocks: [{ type: 'text', text: words, chunkMs: 30 }] }] },
  })
  // The model talks on while no hub is there, so each life sees one piece of what is left and no more is asked of it.
  for (const streamed of [2, 3, 4]) {
    await session.event('text.streamed', streamed)
    await session.kill()
    await session.start()
  }
  await session.event('turn.ended')
  expect(
    session
      .all('text.streamed')
      .map(({ text }) => text)
      .join(''),
  ).toBe(words)
  await expectRecordIsOutput(session)
})

test('R6: an answer that was committed and not delivered is delivered after the restart, once', async () => {
  const crash: Crash = { point: 'after-commit', event: 'approval.settled', nth: 1 }
  const session = await supervise({ scenario: { main: [tools(append('one')), say('done')] }, crash })
  await session.allow(await session.event('approval.opened'))
  expect(await session.ended()).toBe('SIGKILL')
  await session.start()
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(await ran(session)).toBe('one\n')
})

test('R6: no half line reaches the child when the hub dies in the middle of writing a message', async () => {
  const session = await supervise({ scenario: { main: [tools(append('one')), say('done')] } })
  const opened = await session.event('approval.opened')
  await session.kill()
  await session.start({ crash: { point: 'in-put', event: 'approval.settled', nth: 1 } })
  const comment = 'x'.repeat(4_000_000)
  await session.allow(opened, { command: 'echo one >> ran.txt', description: comment })
  expect(await session.ended()).toBe('SIGKILL')
  expect((await readdir(session.run.path)).some((name) => name.startsWith('draft-'))).toBe(true)
  await session.start()
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(await ran(session)).toBe('one\n')
})

test('R27: a session is on record with its first prompt, or not at all', async () => {
  const session = await supervise({
    scenario: { main: [say('first')] },
    crash: { point: 'before-commit', event: 'prompt.accepted', nth: 1 },
  })
  expect(await session.ended()).toBe('SIGKILL')
  // The next hub begins what it does not find; a session without its prompt would wait for ever.
  await session.start({ crash: { point: 'after-commit', event: 'prompt.accepted', nth: 1 } })
  expect(await session.ended()).toBe('SIGKILL')
  await session.start()
  expect(await session.event('turn.ended')).toMatchObject({ result: 'first' })
  expect(session.all('prompt.accepted')).toHaveLength(1)
})

test('R27: a prompt that was committed before a crash is answered after it, once', async () => {
  const scenario = { main: [say('first'), say('second')] }
  const session = await supervise({
    scenario,
    crash: { point: 'after-commit', event: 'prompt.accepted', nth: 1 },
  })
  expect(await session.ended()).toBe('SIGKILL')
  await session.start({ crash: { point: 'after-commit', event: 'run.started', nth: 1 } })
  expect(await session.ended()).toBe('SIGKILL')
  await session.start()
  expect(await session.event('turn.ended')).toMatchObject({ result: 'first' })
  await session.kill()
  await session.start({ crash: { point: 'after-commit', event: 'prompt.accepted', nth: 1 } })
  await session.command({ say: 'and now' })
  expect(await session.ended()).toBe('SIGKILL')
  await session.start()
  expect(await session.event('turn.ended', 2)).toMatchObject({ result: 'second' })
  expect(session.model.requests.filter(({ kind }) => kind === 'main')).toHaveLength(2)
})

test('R27: a hook that was seen and not answered before a crash is answered after it', async () => {
  const crash: Crash = { point: 'after-commit', event: 'tool.seen', nth: 1 }
  const session = await supervise({ scenario: { main: [tools(append('one')), say('done')] }, crash })
  expect(await session.ended()).toBe('SIGKILL')
  await session.start()
  await session.allow(await session.event('approval.opened'))
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(await ran(session)).toBe('one\n')
})

/** What is on record is what the child printed: no line lost, none taken twice, none out of order. */
async function expectRecordIsOutput(session: Supervised): Promise<void> {
  await session.stop()
  await session.event('run.ended')
  expect(session.recordOfOutput().map(plain)).toEqual((await session.eventsOfOutput()).map(plain))
}

/** Without what depends on the moment: the opinion of our hook, and what is known only when a question is stored. */
const plain = (event: object) => ({ ...event, opinion: undefined, askedAt: undefined, held: undefined })
