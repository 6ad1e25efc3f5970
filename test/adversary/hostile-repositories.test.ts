/** What a repository carries, all of it at once, and what of it took effect as seen from outside. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { plantHostileRepository, SPOKEN } from '../rig/cli/hostile-repository.ts'
import { hubPlace } from '../rig/hubs/hub.ts'
import { startSessions } from '../rig/hubs/sessions.ts'
import { type Supervised, supervise } from '../rig/hubs/supervised.ts'

/** Long enough for a scheduled prompt, which comes within two seconds where there are any. */
const command = 'for i in 1 2 3 4 5; do sleep 1; done; echo "from: $FROM_REPOSITORY" > env.txt'
const scenario = (project: string) => ({
  main: [
    tools(use('Read', { file_path: join(project, 'file.txt') })),
    tools(use('Bash', { command })),
    say('done'),
  ],
})
const prepare = async (project: string) => void plantHostileRepository(project)

/** Programs of the repository that ran. */
const ran = ({ project }: Supervised) =>
  readdirSync(join(project, '../marks')).filter((name) => !name.startsWith('.'))

/** Texts of the repository, or from behind its links, that the model was told. */
function heard({ model }: Supervised): string[] {
  const told = JSON.stringify(model.requests.map(({ body }) => body))
  return SPOKEN.filter((text) => told.includes(text))
}

const schedules = ({ model }: Supervised) =>
  model.requests.flatMap(
    ({ body }) => JSON.stringify(body).match(/"name":"(CronCreate|ScheduleWakeup)"/g) ?? [],
  )

test('S8, S20, S31: in a folder that nobody trusts nothing of a repository runs, nothing is said to the model and nothing is read', async () => {
  const session = await supervise({ scenario, prepare, answer: 'allow' })
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(session.all('approval.opened')).toMatchObject([{ toolName: 'Bash', input: { command } }])
  expect(await session.control({ subtype: 'mcp_status' })).toMatchObject({ mcpServers: [] })
  expect(readFileSync(join(session.project, 'env.txt'), 'utf8')).toBe('from: \n')
  expect(heard(session)).toEqual([])
  expect(schedules(session)).toEqual([])
  await session.stop()
  expect(ran(session)).toEqual([])
})

test('S20, S24: settings of a trusted repository neither run its schedules nor switch our hook off, nor is our home read', async () => {
  const session = await supervise({
    scenario,
    prepare: async (project) => {
      plantHostileRepository(project)
      // These hold up a CLI that may read them.
      for (const name of HOLD_UP) rmSync(join(project, name))
    },
    trusted: true,
    answer: 'allow',
    options: { supervise: 'all' },
  })
  await session.event('turn.ended')
  expect(session.all('tool.seen')).toMatchObject([{ toolName: 'Read' }, { toolName: 'Bash' }])
  expect(session.all('approval.opened')).toMatchObject([{ toolName: 'Read' }, { toolName: 'Bash' }])
  expect(heard(session)).toContain('MARK-memory')
  for (const text of ['MARK-scheduled', 'MARK-home']) expect(heard(session)).not.toContain(text)
  expect(schedules(session)).toEqual([])
  await session.stop()
  expect(ran(session).filter((name) => name.startsWith('hook-'))).toEqual([])
})

const HOLD_UP = ['.claude/CLAUDE.md', '.claude/rules/endless.md', 'CLAUDE.local.md']

test('S24: neither the settings of the user nor the environment of the hub switch our hook off', async () => {
  const session = await supervise({
    scenario: { main: [tools(use('Bash', { command: 'ls' })), say('done')] },
    prepare: async (_, config) => {
      mkdirSync(config, { recursive: true })
      const env = { CLAUDE_CODE_SIMPLE: '1', CLAUDE_CODE_DISABLE_CRON: '' }
      writeFileSync(join(config, 'settings.json'), JSON.stringify({ env }))
    },
    env: { CLAUDE_CODE_SIMPLE: '1' },
    answer: 'deny',
  })
  await session.event('turn.ended')
  expect(session.all('tool.seen')).toMatchObject([{ toolName: 'Bash' }])
  expect(schedules(session)).toEqual([])
})

test('S30: no worktree is made of a folder that nobody trusts', async () => {
  const all = await startSessions({ store: 'memory', scenario: { main: [say('done')] } })
  const { marks, project } = plantHostileRepository(all.project)
  await expect(all.start('go', { worktree: 'made' })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(existsSync(join(project, '.claude/worktrees'))).toBe(false)
  expect(readdirSync(marks).filter((name) => !name.startsWith('.'))).toEqual([])
})

test('S31: an approved commit in a trusted folder runs its hooks as ever', async () => {
  const commit =
    'git init -q . && printf "#!/bin/sh\ntouch hook-ran\n" > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit && touch f && git add f && git -c user.name=a -c user.email=a@localhost commit -qm x'
  const session = await supervise({
    scenario: { main: [tools(use('Bash', { command: commit })), say('done')] },
    trusted: true,
    answer: 'allow',
  })
  await session.event('turn.ended')
  expect(existsSync(join(session.project, 'hook-ran'))).toBe(true)
})

test('a folder whose name holds control characters is refused, and by a link to it leaves none of them in the log', async () => {
  const place = await hubPlace({ scenario: { main: [say('done')] } })
  const folder = join(place.project, 'evil\u001b[2J\u202e\nlevel=error forged')
  mkdirSync(folder)
  writeFileSync(join(folder, 'CLAUDE.md'), 'x')
  const link = join(place.project, 'plain')
  symlinkSync(folder, link)
  const hub = await place.start()
  const direct = hub.call('createSession', { options: { workingDirectory: folder } })
  await expect(direct).rejects.toMatchObject({ code: 'invalid_input' })
  const options = { workingDirectory: link }
  const { id, notLoaded } = await hub.call<Session>('createSession', { options })
  place.sessions.add(id)
  expect(notLoaded).toEqual(['CLAUDE.md'])
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
  expect(place.stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  expect(place.stderr.split('\n').filter((line) => line.startsWith('level=error'))).toEqual([])
})
