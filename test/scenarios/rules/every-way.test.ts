import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import type { StartOptions } from '../../../src/child/launch/start-options.ts'
import { carriers, operator, startSessions } from '../../rig/hubs/sessions.ts'

const bash = (command: string) => tools(use('Bash', { command }))
/** So that the CLI takes this mode from root too. */
const SANDBOX = { IS_SANDBOX: '1' }
const because = 'Only a person publishes.'
const RULES = {
  v: 1,
  forbid: [{ id: 'no-links', command: 'ln *', because: 'Links lead out of the project.' }],
  rules: [
    { id: 'touch', effect: 'allow', command: ['touch *', 'install -d *'] },
    { id: 'copies', effect: 'deny', command: 'cp *', because },
    { id: 'lists', effect: 'ask', command: 'ls *' },
    { id: 'writes', effect: 'allow', tool: 'Write', path: '.' },
  ],
}
const agent = { description: 'help', prompt: 'the task of the agent', subagent_type: 'general-purpose' }
const calls = (by: string) => [
  bash(`install -d made-${by}`),
  bash(`cp made-${by} copied-${by}`),
  bash(`env X=1 ln -s / linked-${by}`),
]
const home = (rules: object) => (folder: string) =>
  writeFile(join(folder, 'rules.json'), JSON.stringify(rules))

/** What became of each call, by its tool use. */
function outcomes(events: readonly SessionEvent[]): unknown[] {
  return events.flatMap((event) => {
    if (event.type === 'tool.seen' && event.opinion === 'deny')
      return [`${event.verdict?.effect} ${event.verdict?.ruleId}`]
    return event.type === 'approval.settled' ? [`${event.status} ${event.by} ${event.via}`] : []
  })
}

describe.each(carriers)('[5] [U7] by the carrier %s (asked for: 7)', (carrier) => {
  test.each<Partial<StartOptions>>([
    {},
    { supervise: 'all' },
    { permissionMode: 'acceptEdits' },
    { permissionMode: 'plan' },
    { permissionMode: 'dontAsk' },
  ])('a rule allows, denies and forbids alike, in a sub-agent too, with %j', async (options) => {
    const sessions = await startSessions({
      store: 'sqlite',
      carrier,
      scenario: {
        main: [...calls('main'), tools(use('Agent', agent)), say('done')],
        agents: { [agent.prompt]: [...calls('agent'), say('helped')] },
      },
      prepareHome: home({
        ...RULES,
        rules: [...RULES.rules, { id: 'agents', effect: 'allow', tool: 'Agent' }],
      }),
    })
    const { id } = await sessions.start('go', options)
    await sessions.event(id, 'tool.seen', 7)
    await sessions.settled(id)
    const found = outcomes(await sessions.events(id)).filter((text) => text !== 'allowed rule agents rule')
    const each = ['allowed rule touch rule', 'deny copies', 'forbid no-links']
    expect(found).toEqual([...each, ...each])
    expect((await readdir(sessions.project)).toSorted()).toEqual(['made-agent', 'made-main'])
    const read = JSON.stringify(sessions.model.requests)
    expect(read).toContain('Only a person publishes. (Denied by the rule copies of Plexus.')
    expect(read).toContain('Links lead out of the project. (Denied by the rule no-links of Plexus.')
    const [first] = await sessions.engine.decisions(operator, { sessionId: id })
    expect(first?.verdict).toMatchObject({
      effect: 'allow',
      drawer: 'rules',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
})

test('in bypass too: what is forbidden and denied is refused, and what a rule asks about is asked (asked for: 7)', async () => {
  const sessions = await startSessions({
    store: 'sqlite',
    scenario: { main: [bash('ls x'), ...calls('main'), say('done')] },
    prepareHome: home(RULES),
  })
  const { id } = await sessions.start('go', { permissionMode: 'bypassPermissions', env: SANDBOX })
  const question = await sessions.question(id)
  expect(question).toMatchObject({ input: { command: 'ls x' }, verdict: { effect: 'ask', ruleId: 'lists' } })
  await sessions.engine.answer(operator, { approvalId: question.id, approve: true })
  await sessions.settled(id)
  expect(outcomes(await sessions.events(id))).toEqual([
    'allowed operator undefined',
    'deny copies',
    'forbid no-links',
  ])
  expect(await readdir(sessions.project)).toEqual(['made-main'])
})

test('[5] in a process that resumes the conversation too (asked for: 7)', async () => {
  const sessions = await startSessions({
    store: 'sqlite',
    scenario: { main: [...calls('main'), say('one'), ...calls('resumed'), say('two')] },
    prepareHome: home(RULES),
  })
  const { id } = await sessions.start('go')
  await sessions.settled(id)
  await sessions.engine.stopSession(operator, { sessionId: id })
  await sessions.engine.startTurn(operator, { sessionId: id, content: 'more' })
  await sessions.event(id, 'tool.seen', 6)
  await sessions.settled(id)
  const each = ['allowed rule touch rule', 'deny copies', 'forbid no-links']
  expect(outcomes(await sessions.events(id))).toEqual([...each, ...each])
})

test('no answer overrides what is forbidden: not with another input, and not for a question that was open before', async () => {
  const sessions = await startSessions({
    store: 'sqlite',
    scenario: { main: [bash('mv a b'), say('done')] },
    prepareHome: home(RULES),
  })
  const { id } = await sessions.start('go')
  const { id: approvalId } = await sessions.question(id)
  const edited = sessions.engine.answer(operator, {
    approvalId,
    approve: true,
    updatedInput: { command: 'ln -s / x' },
  })
  await expect(edited).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('no-links'),
  })
  const forbid = [...RULES.forbid, { id: 'no-moves', command: 'mv *', because: 'Stay.' }]
  await writeFile(join(sessions.folder, 'home/rules.json'), JSON.stringify({ ...RULES, forbid }))
  await expect(sessions.engine.answer(operator, { approvalId, approve: true })).rejects.toThrow('no-moves')
  await sessions.engine.answer(operator, { approvalId, approve: false })
  expect(await sessions.settled(id)).toMatchObject({ status: 'done' })
})

test('[6] while the file is broken all that it decided is asked about, and what it forbade stays forbidden, by the next hub too (asked for: 7)', async () => {
  const sessions = await startSessions({
    store: 'sqlite',
    scenario: { main: [bash('touch a'), bash('touch b'), bash('ln a c'), say('done')] },
    prepareHome: home(RULES),
  })
  const first = await sessions.start('go')
  await sessions.settled(first.id) // the file was read
  await writeFile(join(sessions.folder, 'home/rules.json'), '{')
  await sessions.crash()
  await sessions.open()
  const second = await sessions.start('go', { permissionMode: 'bypassPermissions', env: SANDBOX })
  const question = await sessions.question(second.id)
  expect(question).toMatchObject({
    input: { command: 'touch a' },
    verdict: { effect: 'ask', drawer: 'fault' },
  })
  expect(sessions.warnings.join()).toContain('it is not JSON from line 1')
  await sessions.engine.answer(operator, { approvalId: question.id, approve: true })
  const { id: next } = await sessions.question(second.id)
  await sessions.engine.answer(operator, { approvalId: next, approve: true })
  await sessions.settled(second.id)
  expect(outcomes(await sessions.events(second.id)).at(-1)).toBe('forbid no-links')
})

test('[8] the rules of a repository hold in a trusted folder, and those of a start option in its session', async () => {
  const repository = {
    v: 1,
    rules: [{ id: 'repo', effect: 'deny', command: 'touch a', because: 'Not here.' }],
  }
  const own = { id: 'own', effect: 'deny', command: ['touch b'], because: 'Not now.' } satisfies NonNullable<
    StartOptions['rules']
  >[number]
  for (const trusted of [true, false]) {
    const sessions = await startSessions({
      store: 'memory',
      scenario: { main: [bash('touch a'), bash('touch b'), say('done')] },
      prepareHome: home(RULES),
      trusted: (folder) => (trusted ? [join(folder, 'project')] : []),
    })
    await mkdir(join(sessions.project, '.claude'))
    await writeFile(join(sessions.project, '.claude/plexus-rules.json'), JSON.stringify(repository))
    const { id } = await sessions.start('go', { rules: [own] })
    await sessions.settled(id)
    const first = trusted ? 'deny repo' : 'allowed rule touch rule'
    expect(outcomes(await sessions.events(id))).toEqual([first, 'deny own'])
  }
})
