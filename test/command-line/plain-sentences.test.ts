/** What a newcomer types wrong, and what is gone: one sentence that says what to give. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandHub } from '../rig/hubs/command-hub.ts'

test('what is typed wrong gets one sentence that says what to give', async () => {
  const { plexus, folder, session } = await commandHub()
  await session('web')
  const file = join(folder, 'new.json')
  await writeFile(file, '{"v": 1,\n "rules": [{"id": "a", "effect": "alow", "command": "x"}]}')
  const broken = join(folder, 'broken.json')
  await writeFile(broken, '{"v": 1,\n "rules": [,]}')
  const typed: [string[], string][] = [
    [
      ['rules', 'check', file],
      `${file}: line 2, column 34: rules.0.effect: effect must be allow, deny or ask.`,
    ],
    [['rules', 'check', broken], `${broken}: it is not JSON from line 2, column 12 on.`],
    [['rules', 'test', 'garbage'], '"garbage" is no call; give a tool and what it is called with, such as'],
    [['rules', 'test', 'Bash(', '--session', 'web'], '"Bash(" is no call; give a tool'],
    [['rules', 'explain', 'nope'], 'There is no question nope; give one such as web.3'],
    [['start'], 'PROMPT is missing; an example: plexus start'],
    [['say', 'web', ''], 'The message is empty; say what the session should do.'],
  ]
  const results = await Promise.all(typed.map(([args]) => plexus(...args)))
  for (const [index, [args, sentence]] of typed.entries()) {
    const { stdout = '', stderr = '', exitCode } = results[index] ?? {}
    expect.soft(stderr, args.join(' ')).toContain(`plexus: ${sentence}`)
    expect.soft([stdout, stderr.trimEnd().split('\n').length, exitCode === 0]).toEqual(['', 1, false])
  }
})

test('a question that expires says in pending and show how much time is left', async () => {
  const hub = await commandHub()
  await hub.ask(await hub.session('web', { timeoutMs: 3_600_000 }), { command: 'touch a' })
  const [pending, question, shown, json] = await Promise.all([
    hub.plexus('pending'),
    hub.plexus('show', 'web.1'),
    hub.plexus('show', 'web'),
    hub.plexus('pending', '--json'),
  ])
  for (const { stdout } of [pending, question, shown]) expect(stdout).toMatch(/expires in (?:59 min|1 h)/)
  expect(json.stdout).toContain('"expiresAt":"20')
})

test('decisions of sessions that were removed are listed from the record, in the words of the others', async () => {
  const hub = await commandHub()
  const none = await hub.plexus('decisions', '--removed')
  expect(none).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'The record has no decision of a session that was removed.\n',
  })
  const [web, api] = [await hub.session('web'), await hub.session('api')]
  await hub.ask(web, { command: 'touch a' })
  await hub.plexus('deny', 'web.1')
  const { id } = await hub.ask(web, { command: 'touch b' })
  await hub.plexus('deny', 'web.2', '-m', 'not\u001b[2J here')
  await hub.ask(api, { command: 'touch c' })
  await hub.plexus('allow', 'api.1')
  await hub.plexus('rm', 'web', '--stop')
  const all = await hub.plexus('decisions', '--removed')
  expect(all.stdout).toMatch(
    /^WHEN.*\n.* web +denied +operator \(command line\) +touch b \(reason: not\\u\{1b\}\[2J here\)\n.* web +denied +operator \(command line\) +touch a\n$/,
  )
  expect(await hub.plexus('decisions', 'web')).toEqual(all)
  const { stdout } = await hub.plexus('decisions', 'web', '--json', '-n', '1')
  const [latest] = JSON.parse(stdout).decisions
  expect(latest).toMatchObject({ id, sessionId: web.id, name: 'web', status: 'denied', removed: true })
  expect(latest).toMatchObject({ toolName: 'Bash', input: { command: 'touch b' } })
  expect(await hub.plexus('decisions', 'nobody')).toMatchObject({ exitCode: 1, stdout: '' })
  expect((await hub.plexus('decisions')).stdout).toContain('touch c')
})
