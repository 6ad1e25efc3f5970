/** The question about a budget at the command line: listed, answered by its three answers, and the sums beside it. */
import { expect, test } from 'vitest'
import { StartOptions } from '../../src/child/launch/start-options.ts'
import { commandHub } from '../rig/hubs/command-hub.ts'
import { asCallerId } from '../rig/tools/ids.ts'
import { eventually } from '../rig/tools/eventually.ts'

/** A session at work that has made five of six calls, as its process outside reports them. */
async function atFiveOfSix() {
  const hub = await commandHub()
  const options = StartOptions.parse({
    workingDirectory: hub.project,
    carrier: 'mcp',
    name: 'web',
    budget: { toolCalls: 6 },
  })
  const session = await hub.session('web', { options })
  await hub.ask(session, { command: 'mv a b' })
  const caller = {
    id: asCallerId('c'),
    kind: 'session',
    name: session.id,
    scopes: [],
    person: false,
  } as const
  for (const tool_use_id of ['1', '2', '3', '4', '5'])
    await hub.engine.judgeCall(
      { caller },
      { hookInput: { tool_name: 'Read', tool_input: { file_path: 'x' }, tool_use_id } },
    )
  await eventually(async () =>
    expect(await hub.engine.pending(hub.operator, { sessionId: session.id })).toHaveLength(2),
  )
  return { ...hub, sessionId: session.id }
}

test('it is listed with its figures, and plexus ls shows used of limit', async () => {
  const { plexus } = await atFiveOfSix()
  const { stdout } = await plexus('pending')
  expect(stdout).toContain('web.2  has used 5 of 6 tool calls')
  expect(stdout).toContain('1. raise to 9 tool calls')
  expect((await plexus('ls')).stdout).toMatch(/BUDGET[\s\S]*5 of 6 tool calls/)
  expect((await plexus('show', 'web')).stdout).toMatch(/spent +0 tokens, 5 tool calls/)
  const { sessions } = JSON.parse((await plexus('ls', '--json')).stdout)
  expect(sessions[0]).toMatchObject({ budget: { toolCalls: 6 }, treeSpent: { toolCalls: 5 } })
  expect((await plexus('cost', 'web')).stdout).toContain('5 of 6 tool calls')
})

test('answer raises, by a number of an option or by an amount of its own, and a plain number that is none is refused', async () => {
  const { plexus, engine, operator, sessionId } = await atFiveOfSix()
  expect(await plexus('answer', 'web.2', '40')).toMatchObject({ exitCode: 2 })
  expect(await plexus('answer', 'web.2', 'raise to 40')).toMatchObject({ exitCode: 0 })
  expect(await engine.getSession(operator, { sessionId })).toMatchObject({ budget: { toolCalls: 40 } })
  expect((await plexus('decisions')).stdout).toContain('raise to 40 tool calls')
  expect((await plexus('answer', 'web.2', 'stop')).stderr).toContain('allowed')
})

test('allow continues, and --all never covers it', async () => {
  const { plexus, engine, operator, sessionId } = await atFiveOfSix()
  const all = await plexus('allow', '--all', '--yes', '--expect', '2')
  expect(all).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('- web.2') as unknown })
  expect(await plexus('allow', 'web.2')).toMatchObject({ exitCode: 0 })
  const { decision } = await engine.getApproval(operator, { approvalId: 'web.2' })
  expect(decision).toMatchObject({ behavior: 'budget', action: 'continue' })
  expect((await engine.getSession(operator, { sessionId })).budget).toBeUndefined()
})
