/** What an answer keeps with the real CLI: what whoever gave it was shown, and nothing beside it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { type Call, pollToRest } from '../../rig/clients/loopback.ts'
import { httpClient } from '../../rig/clients/mcp-clients.ts'
import { carriers, operator, type Sessions, startSessions } from '../../rig/hubs/sessions.ts'

const bash = (command: string) => tools(use('Bash', { command }))

/** A session that makes these calls one after the other, whoever allows them. */
async function calling(
  calls: (all: Sessions) => Reply[],
  how: Partial<Parameters<typeof startSessions>[0]> = {},
) {
  let left: Reply[] | undefined
  const all: Sessions = await startSessions({
    store: 'sqlite',
    scenario: { main: () => (left ??= [...calls(all), say('well')]).shift() ?? say('done') },
    ...how,
  })
  return all
}

/** The subject of the next question, and an answer to it. */
async function allowed(all: Sessions, sessionId: string, remember?: 'session' | 'suggested') {
  const { id: approvalId, input, ...asked } = await all.question(sessionId)
  const { remembered } = await all.engine.answer(operator, { approvalId, approve: true, remember })
  return { subject: input['command'] ?? input['file_path'], asked, remembered }
}

const beside = (all: Sessions, name: string) => join(all.folder, 'beside', name)

async function reading(remember: 'session' | 'suggested') {
  const all = await calling((our) =>
    ['a', 'b', 'a'].map((name) => tools(use('Read', { file_path: beside(our, name) }))),
  )
  await mkdir(beside(all, '.'))
  for (const name of ['a', 'b']) await writeFile(beside(all, name), name)
  const { id } = await all.start('go')
  const first = await allowed(all, id, remember)
  expect(first).toMatchObject({ subject: beside(all, 'a') })
  expect(first.remembered).toMatchObject({
    call: `Read: ${beside(all, 'a')}`,
    rules: remember === 'session' ? [] : [`Read(/${beside(all, '**')})`],
  })
  return { all, id, b: beside(all, 'b') }
}

describe('S26: one file that was read', () => {
  test('does not open its folder', async () => {
    const { all, id, b } = await reading('session')
    expect(await allowed(all, id)).toMatchObject({ subject: b })
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
  })

  test('opens it where that was shown and chosen', async () => {
    const { all, id } = await reading('suggested')
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
  })
})

describe.each(carriers)('S26: by %s', (carrier) => {
  test('one script of a project lets no other run', async () => {
    const all = await calling(() => [bash('npm run lint'), bash('npm run lint'), bash('npm run evil')], {
      carrier,
    })
    const { id } = await all.start('go')
    const { asked, remembered } = await allowed(all, id, 'session')
    expect(asked.suggestedRules).toEqual(['Bash(npm run *)'])
    expect(remembered).toMatchObject({ call: 'Bash: npm run lint', folder: all.project, rules: [] })
    expect(await allowed(all, id)).toMatchObject({ subject: 'npm run evil' })
  })

  test('a command that was allowed in one folder is asked about in another', async () => {
    const calls = [
      bash('touch a'),
      bash('touch a'),
      bash('mkdir -p sub && cd sub'),
      bash('touch a'),
      bash('touch a'),
    ]
    const all = await calling(() => calls, { carrier })
    const { id } = await all.start('go')
    const sub = join(all.project, 'sub')
    expect(await allowed(all, id, 'session')).toMatchObject({
      subject: 'touch a',
      asked: { cwd: all.project },
    })
    expect(await allowed(all, id)).toMatchObject({ subject: 'mkdir -p sub && cd sub' })
    expect(await allowed(all, id, 'session')).toMatchObject({
      subject: 'touch a',
      remembered: { folder: sub },
    })
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
    const opened = (await all.events(id)).filter((event) => event.type === 'approval.opened')
    expect(opened.map(({ cwd }) => cwd)).toEqual([all.project, all.project, all.project, sub, sub])
  })

  test('a rule that was not shown is not to be had', async () => {
    const all = await calling(() => [bash('sh -c "touch a"')], { carrier })
    const { id } = await all.start('go')
    const { id: approvalId, suggestedRules } = await all.question(id)
    expect(suggestedRules).toEqual([])
    const wide = all.engine.answer(operator, { approvalId, approve: true, remember: 'suggested' })
    await expect(wide).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await all.get(id)).toMatchObject({ status: 'waiting' })
  })
})

test('S26: either family shows the suggested rules with the question, and with the answer what was kept of them', async () => {
  const place = await hubPlace({
    scenario: { main: ['touch a', 'mkdir b', 'mkdir b'].map((command) => bash(command)) },
  })
  const hub = await place.start()
  const client = await httpClient('2026', hub)
  const call: Call = (method, params) => client.call(method.replaceAll('.', '_'), params)
  const { project: workingDirectory } = place
  const start = { prompt: 'go', workingDirectory, waitSeconds: 50 }
  const { sessionId, pendingQuestion } = await client.call<StatusView>('claude_start', start)
  place.sessions.add(sessionId)
  expect(pendingQuestion).toMatchObject({ suggestedRules: ['Bash(touch *)'], cwd: workingDirectory })
  const answer = { sessionId, id: pendingQuestion?.id, answers: ['allow'], remember: 'suggested' }
  const kept = { call: 'Bash: touch a', folder: workingDirectory, rules: ['Bash(touch *)'] }
  expect(await client.call('claude_respond', answer)).toMatchObject({ remembered: kept })
  const { pending_approvals: polled } = await pollToRest(call, { session_id: sessionId })
  const { approvals } = await call<{ approvals: typeof polled }>('loopback.pending', {
    session_id: sessionId,
  })
  for (const asked of [polled, approvals])
    expect(asked).toMatchObject([{ suggested_rules: ['Bash(mkdir *)'], cwd: workingDirectory }])
  const yes = { approval_id: polled[0]?.id, approve: true, remember: true }
  const remembered = { call: 'Bash: mkdir b', folder: workingDirectory, rules: [] }
  expect(await call('loopback.respond', yes)).toMatchObject({ decision: 'allowed', remembered })
  expect(await hub.call('listGrants', { sessionId })).toMatchObject([
    { rule: { subject: 'touch a', remember: 'suggested', rules: kept.rules } },
    { rule: { subject: 'mkdir b', remember: 'session', rules: [] } },
  ])
})
