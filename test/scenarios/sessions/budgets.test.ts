/** Budgets with the real CLI: what is counted, what stops, and how it continues. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import { isAtWork } from '../../../src/sessions/record/at-work.ts'
import { OPERATOR, startEngine } from '../../rig/hubs/engines.ts'

const call = { caller: OPERATOR }
const touch = (name: string) => tools(use('Bash', { command: `touch ${name}` }))
const names = Array.from({ length: 8 }, (_, index) => `file-${index}`)

/** A session in whose turn the model calls a tool again and again, and nobody is asked. */
async function spender(budget: object, main: Reply[] = [...names.map(touch), say('All are made.')]) {
  const rig = await startEngine('here on sqlite', { main })
  const session = await rig.engine.createSession(call, {
    options: StartOptions.parse({
      workingDirectory: rig.project,
      allowedTools: ['Bash(touch *)'],
      budget,
    }),
    content: 'make them',
  })
  const sessionId = rig.track(session).id
  const made = () => names.filter((name) => existsSync(join(rig.project, name))).length
  const ended = async () => {
    // The question about its budget ends a wait too; it is left open.
    for (;;) {
      const known = (await rig.engine.pending(call, { sessionId })).map(({ id }) => id)
      const [over] = await rig.engine.waitFor(call, { sessionIds: [sessionId], known, seconds: 30 })
      if (!over || !isAtWork(over)) return over
    }
  }
  const events = async () => (await rig.engine.readEvents(call, { sessionId, limit: 1_000 })).events
  return { rig, sessionId, made, ended, events }
}

describe.each([
  ['tool calls', { toolCalls: 3 }],
  ['tokens', { tokens: 60_000 }],
])('a budget of %s', (_, budget) => {
  test('interrupts the turn at its limit; nothing more runs until it is raised, and then it continues', async () => {
    const { rig, sessionId, made, ended, events } = await spender(budget)
    const stopped = await ended()
    expect(stopped).toMatchObject({
      status: 'interrupted',
      error: { code: 'over_budget', message: expect.stringContaining('is used up') as unknown },
    })
    // The largest overrun is one request of the model for each session at work.
    const before = made()
    expect(before).toBeLessThan(names.length)
    const types = (await events()).map(({ event }) => event.type)
    expect(types.filter((type) => type === 'budget.used_up').length).toBeGreaterThan(0)
    await expect(rig.engine.startTurn(call, { sessionId, content: 'go' })).rejects.toMatchObject({
      code: 'over_budget',
    })
    expect(made()).toBe(before)
    await rig.engine.setBudget(call, { sessionId, budget: { usd: 100 } })
    await rig.engine.startTurn(call, { sessionId, content: 'go' })
    expect(await ended()).toMatchObject({ status: 'done' })
    expect(made()).toBeGreaterThan(before)
  })
})

test('at four fifths it warns once, and does not stop', async () => {
  const { ended, events, made } = await spender({ toolCalls: 9 })
  expect(await ended()).toMatchObject({ status: 'done', spent: { toolCalls: 8 } })
  expect(made()).toBe(8)
  const warned = (await events()).filter(({ event }) => event.type === 'budget.low')
  expect(warned).toMatchObject([{ event: { resource: 'toolCalls', limit: 9 } }])
})

test('a budget of time ends a turn in which nothing happens', async () => {
  const { ended } = await spender({ seconds: 2 }, [{ hang: true }])
  expect(await ended()).toMatchObject({ status: 'interrupted', error: { code: 'over_budget' } })
})

test('what the CLI reports is counted, tokens and cost, and a budget in dollars holds across turns', async () => {
  const { rig, sessionId, ended } = await spender({ usd: 0.02 }, [say('one'), say('two'), say('three')])
  expect(await ended()).toMatchObject({ status: 'done' })
  const { session } = await rig.engine.costs(call, { sessionId })
  expect(session?.budget).toEqual({ usd: 0.02 })
  expect(session?.spent.tokens).toBeGreaterThan(10_000)
  expect(session?.spent.usd).toBeGreaterThan(0.02)
  await expect(rig.engine.startTurn(call, { sessionId, content: 'again' })).rejects.toMatchObject({
    code: 'over_budget',
    message: expect.stringMatching(/\$0\.\d\d of \$0\.02/) as unknown,
  })
})
