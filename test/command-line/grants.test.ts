/** What is remembered with an answer, by commands: where and how long, the list of it, and its end. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandHub } from '../rig/hubs/command-hub.ts'

test('allow --remember --for says what it remembers; grants ls and rules ls list it, rules revoke ends it (asked for: 2) (asked for: 14)', async () => {
  const hub = await commandHub()
  const { plexus } = hub
  const [web, api] = [await hub.session('web'), await hub.session('api')]
  const write = { file_path: '/srv/a', content: 'x' }
  await hub.ask(web, write, 'Write')
  const rules = [{ id: 'reads', effect: 'allow', command: 'git status' }]
  await writeFile(join(hub.folder, 'home', 'rules.json'), JSON.stringify({ v: 1, rules }))
  const allowed = await plexus('allow', 'web.1', '--remember', 'always', '--for', '1h')
  expect(allowed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('web.1 allowed') })
  const text = /allow exactly this Write of "\/srv\/a", until \d{4}-[-:.\dTZ]+/
  expect(allowed.stderr).toMatch(text)
  const [grant] = await hub.engine.listGrants(hub.operator, {})
  expect(grant).toMatchObject({ scope: 'always', by: 'operator', endsAt: expect.any(Number) })
  // In another session it needs no answer.
  const second = hub.engine.listGrants(hub.operator, { sessionId: api.id })
  expect(await second).toMatchObject([{ id: grant?.id }])

  const listed = await plexus('grants', 'ls')
  expect(listed.stdout).toMatch(text)
  expect(listed.stdout).toContain(`${grant?.id}  always  until 20`)
  expect(listed.stdout).toContain(`by operator, 20`)
  expect(listed.stdout).toContain(`question ${grant?.approvalId}`)
  expect((await plexus('grants', 'ls', 'api', '-q')).stdout).toBe(`${grant?.id}\n`)
  const all = (await plexus('rules', 'ls')).stdout
  expect(all.indexOf('reads  allow command "git status"')).toBeGreaterThanOrEqual(0)
  expect(all.indexOf('reads')).toBeLessThan(all.search(text))

  expect(await plexus('rules', 'revoke', grant?.id ?? '')).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('asked about again'),
  })
  expect((await plexus('grants', 'ls')).stderr).toContain('Nothing is remembered.')
  const again = await plexus('rules', 'revoke', grant?.id ?? '')
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no grant') })
})

test('what cannot be remembered so is refused in one sentence, and the question stays', async () => {
  const { plexus, session, ask } = await commandHub()
  await ask(await session('web'), { command: 'touch a' })
  const refused = async (...flags: string[]) => {
    const { exitCode, stderr } = await plexus('allow', 'web.1', ...flags)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    return [exitCode, stderr.trim()]
  }
  expect(await refused('--remember', 'forever')).toEqual([
    2,
    expect.stringContaining('must be one of turn, session'),
  ])
  expect(await refused('--for', '1h')).toEqual([2, expect.stringContaining('need --remember')])
  expect(await refused('--remember', 'session', '--for', 'soon')).toEqual([
    2,
    expect.stringContaining('--for must be'),
  ])
  expect(await refused('--remember', 'session')).toEqual([2, expect.stringContaining('in which folder')])
  expect(await refused('--remember', 'turn')).toEqual([2, expect.stringContaining('--remember session')])
  expect((await plexus('pending', '-q')).stdout).toBe('web.1\n')
})
