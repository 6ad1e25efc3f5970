/** A parent model sees the rules that a question offers, and remembers one of them, by `plexus mcp`. */
import { expect, test } from 'vitest'
import type { OfferedRulesView } from '../../../src/api/views/offered-rules-view.ts'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { stdioClient, stdioClientWith } from '../../rig/clients/mcp-clients.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'

const bash = (command: string) => tools(use('Bash', { command }))

test('[1] [2] a model is shown the rules that a question offers, remembers one for an hour, and is not asked about the next such call (asked for: 2) (asked for: 9)', async () => {
  const commands = ['install -d no', 'install -d one', 'install -d two', 'install -d three']
  const place = await hubPlace({ scenario: { main: [...commands.map(bash), say('All are made.')] } })
  const client = await stdioClient('2025', place)
  const { sessionId } = await client.call<StatusView>('claude_start', {
    prompt: 'make them',
    workingDirectory: place.project,
  })
  place.sessions.add(sessionId)
  const status = (more: object = {}) =>
    client.call<StatusView & { offeredRules?: OfferedRulesView }>('claude_status', { sessionId, ...more })
  const respond = (id: string | undefined, more: object) =>
    client.call<StatusView & { remembered?: { call: string } }>('claude_respond', { sessionId, id, ...more })

  const { pendingQuestion: first } = await status({ waitSeconds: 50 })
  const next = await respond(first?.id, { answers: ['deny'], message: 'No.', waitSeconds: 50 })
  const id = next.pendingQuestion?.id
  const { offeredRules, pendingQuestion } = await status({ offersFor: id })
  expect(pendingQuestion?.id).toBe(id)
  expect(offeredRules?.rules).toMatchObject([
    { text: `allow command "install -d one", in session "${sessionId}"`, allowed: 0, denied: 0 },
    { text: `allow command "install *", in session "${sessionId}"`, allowed: 1, denied: 1 },
  ])
  expect(offeredRules?.rules[1]?.examples).toEqual(['Bash(install -d no) (was denied)'])
  expect(offeredRules?.compared.questions).toBe(1)

  const loopback = await stdioClientWith('2025', place, { args: ['--tools', 'plexus'] })
  const pending = (approval: string | undefined) =>
    loopback.call('loopback_pending', { offers_for: approval })
  expect(await pending(id)).toMatchObject({
    approvals: [{ id }],
    offered_rules: { rules: offeredRules?.rules },
  })

  const allow = (rememberRule: string | undefined, more: object = {}) =>
    respond(id, { answers: ['allow'], remember: 'session', rememberRule, ...more })
  const [, wide] = offeredRules?.rules ?? []
  await expect(allow(wide?.id)).rejects.toThrow('would have allowed a call that was denied')
  await expect(allow(`${wide?.id}-yes`, { remember: 'always' })).rejects.toThrow('Only a person')
  const done = await allow(`${wide?.id}-yes`, { rememberSeconds: 3_600, waitSeconds: 50 })
  expect(done).toMatchObject({ status: 'done', result: 'All are made.', decision: 'allowed' })
  expect(done.remembered?.call).toContain('allow command "install *"')

  const { decisions } = await client.call<{ decisions: object[] }>('claude_status', {
    sessionId,
    decisions: 'last',
  })
  expect(decisions).toMatchObject([{ via: 'rule' }, { via: 'rule' }, { via: 'tool' }, { via: 'tool' }])
  await expect(client.call('claude_status', { offersFor: id })).rejects.toThrow(
    'offersFor is about one session; give its sessionId too.',
  )
})
