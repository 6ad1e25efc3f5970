import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAtLeast } from '../../../src/text/version-order.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace } from '../../rig/hubs/hub.ts'
import { cliVersion } from '../../rig/cli/real-cli.ts'
import { startSessions } from '../../rig/hubs/sessions.ts'
import { type Supervised, supervise } from '../../rig/hubs/supervised.ts'

const append = (text: string) => tools(use('Bash', { command: `echo ${text} >> ran.txt` }))
const ran = (session: Supervised) => readFile(join(session.project, 'ran.txt'), 'utf8')
const start = (more: Partial<Parameters<typeof supervise>[0]> = {}) =>
  supervise({
    scenario: { main: [append('one'), append('two'), say('done')] },
    options: { carrier: 'mcp' },
    ...more,
  })
/** A newer CLI fails an open call when its server is another; an older one asks again. */
const failsClosed = isAtLeast(cliVersion(), '2.1.325')

/** An older CLI asks again, unless the cut of its connection came first; then it fails closed like a newer one. */
async function expectFirstCallOnceOrNever(session: Supervised): Promise<void> {
  const done = await ran(session)
  expect(failsClosed ? ['two\n'] : ['two\n', 'one\ntwo\n']).toContain(done)
  expect(session.all('tool.finished')[0]?.isError).toBe(done === 'two\n')
  expect(session.all('approval.opened')).toHaveLength(2)
}

test('R2: killed while a child waits in a call, the next hub is asked again, or the call has failed closed', async () => {
  const session = await start()
  const asked = await session.event('approval.opened')
  await session.kill()
  await session.start()
  if (!failsClosed) await session.allow(asked)
  const settled = await session.event('approval.settled')
  expect(settled.approvalId).toBe(asked.approvalId)
  expect(failsClosed ? ['withdrawn'] : ['withdrawn', 'allowed']).toContain(settled.status)
  const next = await session.event('approval.opened', 2)
  expect(next.input).toMatchObject({ command: 'echo two >> ran.txt' })
  await session.allow(next)
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done', result: 'done' })
  await expectFirstCallOnceOrNever(session)
})

test('R2: an answer that was committed and not yet returned is returned to whoever asks again, or has come too late', async () => {
  const session = await start({
    answer: 'allow',
    crash: { point: 'after-commit', event: 'approval.settled', nth: 1 },
  })
  expect(await session.ended()).toBe('SIGKILL')
  await session.start()
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done', result: 'done' })
  await expectFirstCallOnceOrNever(session)
})

test('R2: a hub that goes in good order takes no question back and answers none', async () => {
  const scenario = { main: [append('one'), say('done')] }
  const all = await startSessions({ store: 'memory', carrier: 'mcp', scenario })
  const { id } = await all.start('go')
  const asked = await all.event(id, 'approval.opened')
  await all.crash()
  await all.open()
  if (!failsClosed) await all.allow(id, asked)
  const settled = await all.event(id, 'approval.settled')
  expect(settled).toMatchObject({ status: failsClosed ? 'withdrawn' : 'allowed' })
  expect(await all.settled(id)).toMatchObject({ status: 'done' })
  expect(await all.get(id)).toMatchObject({ turn: 1 })
  expect(await readdir(all.project)).toEqual(failsClosed ? [] : ['ran.txt'])
})

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'R2: the same with the hub itself, ended by %s',
  async (signal) => {
    const place = await hubPlace({ scenario: { main: [append('one'), append('two'), say('done')] } })
    const hub = await place.start()
    const options = { workingDirectory: place.project, carrier: 'mcp' }
    const { id: sessionId } = await hub.call<Session>('createSession', { options })
    place.sessions.add(sessionId)
    await hub.call('startTurn', { sessionId, content: 'go' })
    const asked = await nextQuestion(hub, sessionId)
    expect(asked).toMatchObject({ carrier: 'mcp', input: { command: 'echo one >> ran.txt' } })
    await hub.kill(signal)
    const next = await place.start('--port', String(hub.port))
    const again = await nextQuestion(next, sessionId, failsClosed ? asked.id : undefined)
    for (let question = again; ; question = await nextQuestion(next, sessionId, question.id)) {
      // What the child has given up meanwhile is withdrawn, and the answer comes too late.
      await next.call('answer', { approvalId: question.id, answers: ['allow'] }).catch(() => {})
      if (JSON.stringify(question.input).includes('two')) break
    }
    await eventually(async () =>
      expect(await next.call<Session>('getSession', { sessionId })).toMatchObject({ status: 'done' }),
    )
    const lines = await readFile(join(place.project, 'ran.txt'), 'utf8')
    expect(failsClosed ? ['two\n'] : ['two\n', 'one\ntwo\n']).toContain(lines)
  },
)

/** The question that waits, once it is another than this one. */
async function nextQuestion(hub: Hub, sessionId: string, not?: string): Promise<PendingQuestion> {
  return eventually(async () => {
    const questions = await hub.call<PendingQuestion[]>('pending', { sessionId })
    const found = questions.find(({ id }) => id !== not)
    if (!found) throw new Error('It does not ask.')
    return found
  })
}
