/** What a person does at a terminal, from the first session to the last, without reading a UUID. */
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { identityOf } from '../../../src/system/process-identity.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
interface Listed {
  readonly sessions: readonly { readonly name: string; readonly pid?: number }[]
}
const bash = (command: string) => tools(use('Bash', { command }))

test('two sessions in two folders: one question is allowed, one denied, one session is resumed, one removed', async () => {
  const main = [bash('touch it'), say('over'), say('again')]
  const place = await hubPlace({ scenario: { main } })
  const plexus = plexusAt(place)
  const other = join(place.folder, 'other')
  await mkdir(other)

  // No hub runs: a command that only reads says so and starts none.
  const none = await plexus('ls')
  expect(none).toMatchObject({ exitCode: 4, stdout: '' })
  expect(none.stderr).toBe('plexus: No hub runs, so no session is at work; plexus start begins one.\n')

  expect(await plexus('start', '--name', 'web', 'Touch it')).toMatchObject({ exitCode: 0 })
  const asked = await plexus('wait', 'web')
  expect(asked).toMatchObject({ exitCode: 3, stdout: 'web.1  web wants to run: touch it\n' })
  expect((await plexus('ls')).stdout).toMatch(
    /^NAME +STATE +WAITS .*\nweb +needs you +\d+ s +default .*project\n$/,
  )
  expect((await plexus('pending')).stdout).toContain('web.1  wants to run: touch it\n    touch it\n')
  expect(await plexus('allow', 'web.1')).toMatchObject({
    exitCode: 0,
    stdout: 'web.1 allowed: wants to run: touch it\n',
  })
  expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 0, stdout: 'web idle (done)\n' })
  expect(await exists(join(place.project, 'it'))).toBe(true)

  expect(await plexus('start', '-n', 'api', '-C', other, 'Touch that')).toMatchObject({ exitCode: 0 })
  expect(await plexus('wait', 'api')).toMatchObject({ exitCode: 3 })
  // The session stands for its only open question.
  expect(await plexus('deny', 'api', '-m', 'Not here')).toMatchObject({
    exitCode: 0,
    stdout: 'api.1 denied: wants to run: touch it\n',
  })
  expect(await plexus('wait', 'api')).toMatchObject({ exitCode: 0 })
  expect(await exists(join(other, 'it'))).toBe(false)

  expect(await plexus('stop', 'web')).toMatchObject({ exitCode: 0 })
  expect(await plexus('say', 'web', 'Once more')).toMatchObject({ exitCode: 0 })
  expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 0 })
  const removed = await plexus('rm', 'api')
  expect(removed.stderr).toMatch(
    /^api is removed from Plexus\. The conversation stays in Claude Code: claude --resume [0-9a-f-]{36}\n$/,
  )
  expect((await plexus('ls', '--all')).stdout.split('\n').slice(1)).toEqual([
    expect.stringMatching(/^web /),
    '',
  ])
  const log = await plexus('logs', 'web')
  expect(log.stdout).toContain(
    '> Touch it\n* Bash touch it\n? asks about Bash touch it\n= allowed by operator\n',
  )
  expect((await plexus('export', 'web')).stdout).toContain('# web\n\n## Touch it\n')

  const idle = await plexus('interrupt', 'web')
  expect(idle.stderr).toBe('web is not at work, so there was nothing to interrupt.\n')
  const [session] = (JSON.parse((await plexus('ls', '--json')).stdout) as Listed).sessions
  expect(session).toMatchObject({ name: 'web', status: 'done', process: 'alive' })
  const second = await plexus('serve', '--json')
  expect([second.exitCode === 0, second.stderr]).toEqual([false, expect.stringContaining('A hub runs in')])
  // The hub ends, and its sessions do not.
  expect((await plexus('stop', '--hub')).stderr).toMatch(
    /^The hub \(pid \d+\) has ended\. Its sessions keep running/,
  )
  expect(await place.running()).toBeUndefined()
  expect(await identityOf(session?.pid ?? 0)).toBeDefined()
  expect(await plexus('ls')).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('1 session is alive and waits for one'),
  })
  expect((await plexus('stop', '--hub')).stderr).toBe('No hub runs, so there was nothing to end.\n')
  expect((await plexus('stop', 'web')).stderr).toContain('The process of web has ended; ')
  expect((await plexus('show', 'web')).stdout).toContain('process  none, starts with the next prompt\n')
  const { session: stopped } = JSON.parse((await plexus('show', 'web', '--json')).stdout) as {
    session: object
  }
  expect(stopped).toMatchObject({ process: 'none' })
  expect(stopped).not.toHaveProperty('pid')
  await plexus('stop', '--hub')
  expect((await plexus('ls')).stderr).toContain(
    'plexus serve runs one, and then plexus ls --all lists what was',
  )
})

test('an answer that comes second, or to another question than was shown, changes nothing and says so', async () => {
  const place = await hubPlace({ scenario: { main: [bash('touch one'), bash('touch two'), say('done')] } })
  const plexus = plexusAt(place)
  await plexus('start', '--name', 'web', 'Touch both')
  await plexus('wait', 'web')
  const { question } = JSON.parse((await plexus('show', 'web.1', '--json')).stdout) as {
    question: { inputSha256: string }
  }
  expect(await plexus('allow', 'web.1', '--if-match', question.inputSha256.slice(0, 12))).toMatchObject({
    exitCode: 0,
  })
  expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 3 })
  const late = await plexus('allow', 'web.1', '--json')
  expect(late).toMatchObject({ exitCode: 5, stdout: '' })
  expect(JSON.parse(late.stderr)).toMatchObject({ v: 1, error: { code: 'already_settled' } })
  const changed = await plexus('allow', 'web.2', '--if-match', question.inputSha256)
  expect(changed).toMatchObject({ exitCode: 5 })
  expect(changed.stderr).toContain('What is asked now is not what you were shown')
  // One that is settled, so none of them is answered.
  expect(await plexus('allow', 'web.2', 'web.1')).toMatchObject({ exitCode: 5 })
  expect((await plexus('pending', '-q')).stdout).toBe('web.2\n')
  expect(await exists(join(place.project, 'two'))).toBe(false)
  // It is at work: only --stop removes it.
  expect(await plexus('rm', 'web')).toMatchObject({ exitCode: 1 })
  expect(await plexus('rm', '--stop', 'web')).toMatchObject({ exitCode: 0 })
  expect(await exists(join(place.project, 'two'))).toBe(false)
})

test('a command that an agent runs may not answer where a person is wanted, nor start what asks nothing', async () => {
  const place = await hubPlace({ scenario: { main: [bash('touch it'), say('done')] } })
  const [plexus, agent] = [plexusAt(place), plexusAt(place, { CLAUDECODE: '1' })]
  await plexus('start', '--name', 'web', '--person', 'Touch it')
  await plexus('wait', 'web')
  const bypass = await agent('start', '--mode', 'bypassPermissions', 'Do it')
  expect(bypass).toMatchObject({ exitCode: 1 })
  const refused = await agent('allow', 'web')
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  for (const { stderr } of [bypass, refused])
    expect(stderr).toContain('CLAUDECODE is set, so this counts as a call of an agent and not of a person.\n')
  expect(await plexus('allow', 'web')).toMatchObject({ exitCode: 0 })
  const { question } = JSON.parse((await plexus('show', 'web.1', '--json')).stdout) as { question: object }
  expect(question).toMatchObject({ status: 'allowed', by: 'operator', via: 'command_line' })
})
