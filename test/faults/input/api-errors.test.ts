import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Reply, say } from '../../../src/demo/scenario.ts'
import { cliPath, isFull } from '../../rig/cli/real-cli.ts'
import { startSessions } from '../../rig/hubs/sessions.ts'

const store = 'memory'
/** One of them says most; `npm run test:cli` tries all. */
const STATUSES: readonly (401 | 429 | 500 | 529)[] = isFull ? [401, 429, 500, 529] : [529]
const failing = (reply: Reply) => ({ main: () => reply })

describe('R21: errors of the API', () => {
  test.each(STATUSES)(
    'R21: %i is retried and reported; if it stays the session is failed and says why; once it is gone, say works',
    async (status) => {
      let faults = 1
      const main = (): Reply => (faults-- > 0 ? { status, retryAfterSeconds: 0 } : say('fine'))
      const env = { CLAUDE_CODE_MAX_RETRIES: '1' }
      const all = await startSessions({ store, scenario: { main }, env })
      const { id } = await all.start('go')
      expect(await all.settled(id)).toMatchObject({ status: 'done' })
      const retries = (await all.events(id)).filter(({ type }) => type === 'api.retried')
      expect(retries).toMatchObject([{ attempt: 1, maxRetries: 1, status }])
      faults = Infinity
      await all.supervisor.say(id, 'again')
      const failed = await all.settled(id)
      expect(failed.status).toBe('failed')
      expect(failed.error).toMatchObject({
        code: 'cli_failed',
        message: expect.stringContaining(String(status)) as string,
      })
      faults = 0
      await all.supervisor.say(id, 'and again')
      const after = await all.settled(id)
      expect(after.status).toBe('done')
      expect(after.error).toBeUndefined()
    },
  )

  test.each(STATUSES)('R21: an interrupt ends the retries after %i', async (status) => {
    const all = await startSessions({ store, scenario: failing({ status }) })
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
  test('a model that does not exist: the session is failed, names it, and works with another', async () => {
    let broken = true
    const missing: Reply = { status: 404, message: 'model: nothing' }
    const all = await startSessions({ store, scenario: { main: () => (broken ? missing : say('well')) } })
    const { id } = await all.start('go', { model: 'no-such-model' })
    const { status, error } = await all.settled(id)
    expect(status).toBe('failed')
    expect(error).toMatchObject({
      code: 'cli_failed',
      message: expect.stringContaining('no-such-model') as string,
    })
    broken = false
    await (await all.supervisor.wake(id)).setModel('another-model')
    await all.supervisor.say(id, 'again')
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
  })

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
