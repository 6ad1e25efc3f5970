import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Reply, say } from '../../src/demo/scenario.ts'
import { cliPath } from '../rig/real-cli.ts'
import { startSessions } from '../rig/sessions.ts'

const store = 'memory'
const failing = (reply: Reply) => ({ main: () => reply })

describe('R21: errors of the API', () => {
  test.each<[string, Reply, { status?: number }]>([
    ['429', { status: 429, retryAfterSeconds: 0 }, { status: 429 }],
    ['500', { status: 500 }, { status: 500 }],
    ['529', { status: 529 }, { status: 529 }],
  ])('R21: after %s the turn is tried again, told as an event, and ends well', async (_, fault, told) => {
    const all = await startSessions({ store, scenario: { main: [fault, say('better now')] } })
    const { id } = await all.start('go')
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
    expect(await all.event(id, 'turn.ended')).toMatchObject({ outcome: 'done', result: 'better now' })
    const retries = (await all.events(id)).filter(({ type }) => type === 'api.retried')
    expect(retries).toMatchObject([{ attempt: 1, ...told }])
  })

  test.each<[string, Reply]>([
    ['401', { status: 401 }],
    ['429', { status: 429, retryAfterSeconds: 0 }],
    ['500', { status: 500 }],
    ['529', { status: 529 }],
    ['404 (no such model)', { status: 404, message: 'model: nothing' }],
  ])(
    'R21: %s that stays makes the session failed and says why; say works once it is gone',
    async (_, fault) => {
      let broken = true
      const all = await startSessions({
        store,
        scenario: { main: () => (broken ? fault : say('back')) },
        env: { CLAUDE_CODE_MAX_RETRIES: '1' },
      })
      const { id } = await all.start('go')
      const { status, error } = await all.settled(id)
      expect(status).toBe('failed')
      expect(error).toMatchObject({ code: 'cli_failed', message: expect.stringMatching(/\w{4}/) as string })
      broken = false
      await all.supervisor.say(id, 'again')
      const after = await all.settled(id)
      expect(after.status).toBe('done')
      expect(after.error).toBeUndefined()
    },
  )

  test.each<[string, Reply]>([
    ['401', { status: 401 }],
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['529', { status: 529 }],
  ])('R21: an interrupt ends the retries after %s', async (_, fault) => {
    const all = await startSessions({ store, scenario: failing(fault) })
    const { id } = await all.start('go')
    await all.event(id, 'api.retried')
    await (await all.supervisor.wake(id)).interrupt()
    expect(await all.settled(id)).toMatchObject({ status: 'interrupted' })
  })

  test('R21: a cut stream is tried again, and one that is cut again and again leaves no session stuck', async () => {
    const cut: Reply = { cut: [{ type: 'text', text: 'half a sent' }] }
    const all = await startSessions({ store, scenario: { main: [cut, say('better now')] } })
    const { id } = await all.start('go')
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
    expect(await all.event(id, 'turn.ended')).toMatchObject({ result: 'better now' })
    // 2.1.197 gives up after its second try and tells no retry; 2.1.325 tells each and goes on for minutes.
    const worse = await startSessions({ store, scenario: failing(cut) })
    const other = await worse.start('go')
    await Promise.race([worse.event(other.id, 'api.retried'), worse.settled(other.id)])
    await (await worse.supervisor.wake(other.id)).interrupt()
    expect((await worse.settled(other.id)).status).toMatch(/failed|interrupted/)
  })

  test('R21: an interrupt ends a request that nobody answers', async () => {
    const all = await startSessions({ store, scenario: { main: [{ hang: true }, say('on')] } })
    const { id } = await all.start('go')
    await all.model.request(({ kind }) => kind === 'main')
    await (await all.supervisor.wake(id)).interrupt()
    expect(await all.settled(id)).toMatchObject({ status: 'interrupted' })
    await all.supervisor.say(id, 'again')
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
  })

  test('R21: an interrupt before the turn has begun takes the prompt back, and the session is not stuck', async () => {
    const all = await startSessions({ store, scenario: { main: [say('first')] } })
    const { id } = await all.start('go')
    await (await all.supervisor.wake(id)).interrupt()
    expect((await all.settled(id)).status).toMatch(/interrupted|done/)
    await all.supervisor.say(id, 'again')
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
  })
})

describe('R19 R21: a start that fails at once', () => {
  test('not logged in: the session is failed and says so', async () => {
    const all = await startSessions({
      store,
      scenario: { main: [] },
      env: { ANTHROPIC_API_KEY: undefined },
    })
    const { id } = await all.start('go')
    const { status, error } = await all.settled(id)
    expect(status).toBe('failed')
    expect(error?.message).toMatch(/log ?in/i)
  })

  test.each([
    ['ends at once', '#!/bin/sh\necho "error: unknown option --new" >&2\nexit 1\n', 0o755, /unknown option/],
    ['cannot be executed', '#!/bin/sh\n', 0o644, /126|denied/],
    ['is not there', undefined, 0, /127|not found/],
  ])(
    'a CLI that %s: failed with what it said, and say works once the cause is gone',
    async (_, text, mode, said) => {
      let path: string | undefined
      const all = await startSessions({
        store,
        scenario: { main: [say('well')] },
        cli: () => path ?? cliPath(),
      })
      path = join(all.folder, 'bin', 'claude')
      await mkdir(join(all.folder, 'bin'))
      if (text !== undefined) await writeFile(path, text)
      if (text !== undefined) await chmod(path, mode)
      const { id } = await all.start('go')
      const { status, error } = await all.settled(id)
      expect(status).toBe('failed')
      expect(error).toMatchObject({ code: 'cli_failed', message: expect.stringMatching(said) as string })
      path = undefined
      await all.supervisor.say(id, 'again')
      const after = await all.settled(id)
      expect(after).toMatchObject({ status: 'done' })
      expect(all.model.requests.filter(({ kind }) => kind === 'main')).toHaveLength(1)
    },
  )
})
