import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callerIdOf } from '../../../src/callers/caller.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import type { CallContext, PendingQuestion } from '../../../src/engine/engine.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { plexusAt, beginPlexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { operator, startSessions, type Sessions } from '../../rig/hubs/sessions.ts'
import { eventually } from '../../rig/tools/eventually.ts'

const bash = (command: string) => tools(use('Bash', { command }))
const RULES = {
  v: 1,
  forbid: [{ id: 'no-links', command: 'ln *', because: 'Links lead out.' }],
  rules: [
    { id: 'folders', effect: 'allow', command: 'install -d *' },
    { id: 'copies', effect: 'deny', command: 'cp *', because: 'No copies.' },
    { id: 'lists', effect: 'ask', command: 'ls *', answerers: ['person', 'session'] },
    { id: 'agents', effect: 'allow', tool: 'Agent' },
  ],
}
/** One call for each effect; what is asked about is denied with a reason, so that each way ends. */
const CALLS = [bash('install -d made'), bash('cp made copy'), bash('sudo ln -s / link'), bash('ls made')]
const EXPECTED = ['allow folders', 'deny copies', 'forbid no-links', 'ask lists']

const agent = (more: object = {}) =>
  tools(use('Agent', { description: 'd', prompt: 'the task', subagent_type: 'general-purpose', ...more }))
async function prepareHome(home: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  await writeFile(join(home, 'rules.json'), JSON.stringify(RULES))
}
const plain: Reply[] = [...CALLS, say('done')]

/** What the rules said of each call of Bash, as it is on record. */
function verdicts(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'tool.seen' && event.toolName === 'Bash'
      ? [`${event.verdict?.effect} ${event.verdict?.ruleId}`]
      : [],
  )
}

interface Way {
  readonly main: Reply[]
  readonly agents?: Record<string, Reply[]>
  readonly carrier?: 'control' | 'mcp'
  readonly begin?: (sessions: Sessions) => Promise<{ id: string }>
  readonly options?: Partial<StartOptions>
}

/** A conversation that another process continues. */
async function resumed(sessions: Sessions): Promise<{ id: string }> {
  const { id } = await sessions.start('hello')
  await sessions.settled(id)
  await sessions.engine.stopSession(operator, { sessionId: id })
  await sessions.supervisor.say(id, 'go')
  return { id }
}

/** A session that another one started. */
async function nested(sessions: Sessions): Promise<{ id: string }> {
  const options = StartOptions.parse({ workingDirectory: sessions.project, nested: true })
  const parent = sessions.track(await sessions.engine.createSession(operator, { options }))
  const caller = {
    kind: 'session',
    id: callerIdOf('session', parent.id),
    name: parent.id,
    scopes: ['nested'],
    person: false,
  } as const
  const context: CallContext = { caller }
  const below = StartOptions.parse({ workingDirectory: sessions.project })
  return sessions.track(await sessions.engine.createSession(context, { options: below, content: 'go' }))
}

const WAYS: Readonly<Record<string, Way>> = {
  'the main conversation': { main: plain },
  'the carrier mcp': { main: plain, carrier: 'mcp' },
  'a sub-agent': { main: [agent(), say('done')], agents: { 'the task': plain } },
  'a background agent': {
    main: [agent({ run_in_background: true }), say('done'), say('all over')],
    agents: { 'the task': plain },
  },
  'a resumed conversation': { main: [say('hello'), ...plain], begin: resumed },
  'plan mode': { main: plain, options: { permissionMode: 'plan' } },
  'a session below another': { main: plain, begin: nested },
}

test.each(Object.entries(WAYS))(
  '[5] (asked for: 7) %s gets the same verdict as all others',
  async (_, { main, agents, carrier, begin, options }) => {
    const sessions = await startSessions({
      store: 'sqlite',
      carrier: carrier ?? 'control',
      scenario: { main, ...(agents ? { agents } : {}) },
      prepareHome,
    })
    const { id } = begin ? await begin(sessions) : await sessions.start('go', options)
    const question = await sessions.question(id)
    expect(question).toMatchObject({ input: { command: 'ls made' }, verdict: { ruleId: 'lists' } })
    await sessions.engine.answer(operator, { approvalId: question.id, approve: false, message: 'Not now.' })
    await sessions.settled(id)
    expect(verdicts(await sessions.events(id))).toEqual(EXPECTED)
    expect(['made', 'copy', 'link'].map((name) => existsSync(join(sessions.project, name)))).toEqual([
      true,
      false,
      false,
    ])
    const read = JSON.stringify(sessions.model.requests)
    for (const text of ['(Denied by the rule copies', '(Denied by the rule no-links', 'Not now.'])
      expect(read).toContain(text)
    // Each decision has its row, with the rule.
    const rows = await sessions.store.record.read({ session: id, limit: 999 })
    const ruled = rows.flatMap(({ kind, body }) => {
      const { verdict, tool } = JSON.parse(body) as { verdict?: { ruleId: string }; tool?: string }
      return tool === 'Bash' && verdict && kind !== 'ran' ? [`${kind} ${verdict.ruleId}`] : []
    })
    expect(ruled).toEqual(
      expect.arrayContaining([
        'settled folders',
        'hook-denied copies',
        'hook-denied no-links',
        'asked lists',
      ]),
    )
  },
)

test('[5] (asked for: 7) a claude of plexus run gets the same verdict as all others', async () => {
  const place = await hubPlace({ scenario: { main: plain } })
  await prepareHome(place.home)
  const hub = await place.start()
  const [plexus, begin] = [plexusAt(place), beginPlexusAt(place)]
  const nightly = begin('run', '--name', 'nightly', '--', '-p', 'go')
  await eventually(async () => expect(await plexus('wait', 'nightly')).toMatchObject({ exitCode: 3 }))
  const asked = JSON.parse((await plexus('pending', '--json')).stdout) as { questions?: PendingQuestion[] }
  expect(JSON.stringify(asked)).toContain('ls made')
  expect((await plexus('rules', 'explain', 'nightly.2')).stdout).toContain('ask by the rule lists')
  await plexus('deny', 'nightly.2', '-m', 'Not now.')
  expect(await nightly.ended).toMatchObject({ exitCode: 0 })
  const { events } = await hub.call<{ events: { event: SessionEvent }[] }>('readEvents', {
    sessionId: 'nightly',
    limit: 500,
  })
  expect(verdicts(events.map(({ event }) => event))).toEqual(EXPECTED)
  expect(existsSync(join(place.project, 'made'))).toBe(true)
  expect(existsSync(join(place.project, 'copy'))).toBe(false)
  // Where no hub runs, one is started to read the record.
  expect(await plexus('stop', '--hub')).toMatchObject({ exitCode: 0 })
  expect((await plexus('rules', 'explain', 'nightly.2')).stdout).toContain('ask by the rule lists')
})

test('(asked for: 7) rm -rf of a whole home by a sub-agent is refused, also by a program that runs it, and nothing is removed', async () => {
  const removals = [bash('rm -rf kept'), bash("sh -c 'rm -rf kept'"), bash('find kept -exec rm -rf {} +')]
  const sessions = await startSessions({
    store: 'sqlite',
    scenario: { main: [agent(), say('done')], agents: { 'the task': [...removals, say('done')] } },
    prepareHome: async (home) => {
      await mkdir(home, { recursive: true, mode: 0o700 })
      const forbid = [{ id: 'removals', command: 'rm *', because: 'Homes stay.' }]
      const rules = [{ id: 'agents', effect: 'allow', tool: 'Agent' }]
      await writeFile(join(home, 'rules.json'), JSON.stringify({ v: 1, forbid, rules }))
    },
  })
  await mkdir(join(sessions.project, 'kept/documents'), { recursive: true })
  const { id } = await sessions.start('go')
  await sessions.settled(id)
  expect(verdicts(await sessions.events(id))).toEqual(removals.map(() => 'forbid removals'))
  expect(existsSync(join(sessions.project, 'kept/documents'))).toBe(true)
  expect(JSON.stringify(sessions.model.requests)).toContain('Homes stay.')
})
