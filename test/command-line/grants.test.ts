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
  expect(listed.stdout).toContain(`web.1  always  until 20`)
  expect(listed.stdout).toContain(`by operator, 20`)
  expect(listed.stdout).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  expect((await plexus('grants', 'ls', 'api', '-q')).stdout).toBe(`${grant?.id}\n`)
  const all = (await plexus('rules', 'ls')).stdout
  expect(all.indexOf('reads  allow command "git status"')).toBeGreaterThanOrEqual(0)
  expect(all.indexOf('reads')).toBeLessThan(all.search(text))

  expect(await plexus('rules', 'revoke', grant?.id ?? '')).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('asked about again'),
  })
  expect((await plexus('grants', 'ls')).stderr).toContain('Nothing is remembered.')
  const ended = await plexus('grants', 'ls', '--all')
  expect(ended.stdout).toMatch(text)
  expect(ended.stdout).toMatch(/^web\.1 {2}always {2}revoked 20[-: \d]+ by operator {2}by operator/)
  const again = await plexus('rules', 'revoke', grant?.id ?? '')
  expect(again).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('There is no rule and no grant'),
  })
})

test('grants that have ended are listed with when and how, in their session and for all, and not by default (asked for: 14)', async () => {
  const hub = await commandHub()
  const { engine, operator, plexus } = hub
  const [web, api] = [await hub.session('web'), await hub.session('api')]
  for (const [remember, seconds] of [
    ['session', undefined],
    ['session', 1],
    ['always', undefined],
  ] as const) {
    const { id: approvalId } = await hub.ask(web, { file_path: `/srv/${remember}${seconds}` }, 'Write')
    await engine.answer(operator, { approvalId, approve: true, remember, rememberSeconds: seconds })
  }
  const grants = await engine.listGrants(operator, {})
  for (const grant of grants)
    if (grant.endsAt === undefined) await engine.revokeGrant(operator, { grantId: grant.id })
  await expect.poll(() => engine.listGrants(operator, {}), { timeout: 10_000 }).toEqual([])
  const all = await engine.listGrants(operator, { ended: true })
  expect(all.map(({ scope, ended }) => [scope, ended?.how, ended?.by])).toEqual(
    expect.arrayContaining([
      ['session', 'expired', undefined],
      ['always', 'revoked', 'operator'],
      ['session', 'revoked', 'operator'],
    ]),
  )
  expect(all).toHaveLength(3)
  for (const { at, ended } of all) expect(ended?.at).toBeGreaterThanOrEqual(at)
  expect(await engine.listGrants(operator, { sessionId: web.id })).toEqual([])
  expect(await engine.listGrants(operator, { sessionId: web.id, ended: true })).toHaveLength(3)
  expect(await engine.listGrants(operator, { sessionId: api.id, ended: true })).toMatchObject([
    { scope: 'always' },
  ])
  expect((await plexus('grants', 'ls', 'web')).stderr).toContain('Nothing is remembered in this session.')
  const listed = (await plexus('grants', 'ls', 'web', '--all')).stdout
  expect(listed).toMatch(/session {2}expired 20[-: \d]+ {2}by operator/)
  expect(listed).toMatch(/always {2}revoked 20[-: \d]+ by operator/)
})

test('a grant is listed by its question and revoked by what the list shows; names stand in place of ids', async () => {
  const hub = await commandHub()
  const { plexus } = hub
  const [web, api] = [await hub.session('web'), await hub.session('api')]
  for (const session of [web, api]) await hub.ask(session, { file_path: '/srv/a', content: 'x' }, 'Write')
  await plexus('allow', 'web.1', '--remember', 'session')
  const allowed = await plexus('allow', 'api.1', '--remember', 'always')
  expect(allowed.stderr).toContain('plexus rules revoke api.1 ends it.')
  const listed = (await plexus('grants', 'ls')).stdout
  expect(listed).toContain('web.1  session  until you revoke it  by operator, 20')
  expect(listed).toContain('in session "web"')
  expect(listed).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  expect(await plexus('rules', 'revoke', 'web.1')).toMatchObject({ exitCode: 0 })
  expect((await plexus('grants', 'ls')).stdout).not.toContain('web.1')
  // A session that is gone has no question any more: then it is the beginning of the id, and the last name.
  await plexus('rm', 'api', '--stop')
  const [grant] = await hub.engine.listGrants(hub.operator, {})
  const id = grant?.id.slice(0, 8) ?? ''
  expect((await plexus('rules', 'ls')).stdout).toContain(`${id}  always  until you revoke it`)
  expect((await plexus('rules', 'ls')).stdout).toContain('in session api')
  expect(await plexus('grants', 'revoke', id)).toMatchObject({ exitCode: 0 })
  expect((await plexus('grants', 'ls')).stderr).toContain('Nothing is remembered.')
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
