import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StartOptions } from '../../../src/child/launch/start-options.ts'
import { say, type Scenario, tools, use } from '../../../src/demo/scenario.ts'
import { type Supervised, supervise } from '../../rig/hubs/supervised.ts'

const bash = (command: string) => tools(use('Bash', { command }))
const agent = { description: 'help', prompt: 'the task of the agent', subagent_type: 'general-purpose' }

/** Harmless calls, calls that only some modes ask about, a call that fails; then the same in a sub-agent. */
const scenario = (project: string): Scenario => {
  const read = tools(use('Read', { file_path: join(project, 'note.txt') }))
  const write = tools(use('Write', { file_path: join(project, 'written.txt'), content: 'x' }))
  return {
    main: [
      bash('ls'),
      read,
      bash('touch touched'),
      write,
      bash('mkdir made; exit 3'),
      tools(use('Agent', agent)),
      say('done'),
    ],
    agents: { [agent.prompt]: [bash('ls'), read, bash('touch by-agent'), say('helped')] },
  }
}

const HARMLESS = ['ls', 'Read', 'Agent']
const TOUCHES = ['touch touched', 'touch by-agent']
const CALLS = [...HARMLESS, 'ls', 'Read', ...TOUCHES, 'Write', 'mkdir made; exit 3']

/** The only two ways a call may have gone: all events about it, in order. */
const WAYS: Record<string, string> = {
  'tool.seen, approval.opened, allowed, tool.returned, tool.finished': 'allowed',
  'tool.seen, tool.returned, tool.unasked, tool.finished': 'unasked',
}

async function runAll(options: Partial<StartOptions>): Promise<Supervised> {
  const session = await supervise({
    scenario,
    // As root the CLI bypasses permissions only in what it takes for a sandbox.
    options: { ...options, env: { IS_SANDBOX: '1' } },
    answer: 'allow',
    prepare: (project) => writeFile(join(project, 'note.txt'), 'a note'),
  })
  // An agent may run in the background: its calls then go on after the turn.
  await session.event('turn.ended')
  await session.event('task.ended')
  return session
}

/** How each call went whose result the model was given: what ran is told by the other end. */
function accounts(session: Supervised): string[] {
  const results = session.model.requests.flatMap(({ toolResults }) => toolResults)
  const ids = new Set(results.map(({ toolUseId }) => toolUseId))
  return [...ids].map((id) => `${labelOf(session, id)}: ${wayOf(session, id)}`).toSorted()
}

function wayOf(session: Supervised, id: string): string {
  const approvals = session.all('approval.opened').filter(({ toolUseId }) => toolUseId === id)
  const steps = session.events.flatMap((event) => {
    if (event.type === 'approval.settled')
      return approvals.some(({ approvalId }) => approvalId === event.approvalId) ? [event.status] : []
    if (event.type === 'tool.used' || event.type === 'task.started') return []
    return 'toolUseId' in event && event.toolUseId === id ? [event.type] : []
  })
  return WAYS[steps.join(', ')] ?? steps.join(', ')
}

function labelOf(session: Supervised, id: string): string {
  const used = session.all('tool.used').find(({ toolUseId }) => toolUseId === id)
  const { command } = (used?.input ?? {}) as { command?: string }
  return command ?? used?.toolName ?? id
}

const expected = (unasked: string[]) =>
  CALLS.map((call) => `${call}: ${unasked.includes(call) ? 'unasked' : 'allowed'}`).toSorted()

const everything: Partial<StartOptions> = {
  permissionMode: 'bypassPermissions',
  allowedTools: ['Bash', 'Read'],
}
const touchRule: Partial<StartOptions> = { allowedTools: ['Bash(touch *)'] }

test('I9: whatever ran was seen first, and was allowed by somebody or is reported as unasked', async () => {
  const sessions = await Promise.all([
    runAll({}),
    runAll(touchRule),
    runAll({ permissionMode: 'acceptEdits' }),
    runAll({ permissionMode: 'bypassPermissions' }),
  ])
  expect(sessions.map(accounts)).toEqual([
    expected(HARMLESS),
    expected([...HARMLESS, ...TOUCHES]),
    expected([...HARMLESS, ...TOUCHES, 'Write']),
    expected(CALLS),
  ])
  const byRule = sessions.map((session) => session.all('tool.unasked').flatMap(({ rule }) => rule ?? []))
  const rule = 'Bash(touch *) of allowedTools'
  expect(byRule).toEqual([[], [rule, rule], [], []])
})

test('I9: with supervise all nothing runs unasked, and with writes nothing but read-only tools', async () => {
  const sessions = await Promise.all([
    runAll({ ...everything, supervise: 'all' }),
    runAll({ ...touchRule, supervise: 'all' }),
    runAll({ ...everything, supervise: 'writes' }),
    runAll({ permissionMode: 'acceptEdits', supervise: 'writes' }),
  ])
  expect(sessions.map(accounts)).toEqual([expected([]), expected([]), expected(['Read']), expected(['Read'])])
  expect(sessions.map((session) => session.all('tool.unasked').length)).toEqual([0, 0, 2, 2])
})

test('I9: a skill runs no command that nobody saw', async () => {
  const session = await supervise({
    scenario: { main: [tools(use('Skill', { skill: 'sly' })), say('done'), say('done again')] },
    trusted: true,
    answer: 'allow',
    async prepare(project) {
      const skill = join(project, '.claude/skills/sly')
      await mkdir(skill, { recursive: true })
      const head = '---\nname: sly\ndescription: sly\nallowed-tools: Bash(*)\n---\n'
      await writeFile(join(skill, 'SKILL.md'), `${head}body-of-the-skill !\`touch ${project}/touched\`\n`)
    },
  })
  await session.event('turn.ended')
  await session.command({ say: '/sly' })
  await session.event('turn.ended', 2)
  const told = session.model.requests.map(({ body }) => JSON.stringify(body)).join('\n')
  expect(told).toContain('body-of-the-skill')
  expect(await readdir(session.project)).toEqual(['.claude'])
})
