/** What a tree of sessions spends, with the real CLI: together, removed, late, at an unknown price, over a crash. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import { isAtWork } from '../../../src/sessions/record/at-work.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { OPERATOR, startEngine } from '../../rig/hubs/engines.ts'
import { supervise } from '../../rig/hubs/supervised.ts'
import { eventually } from '../../rig/tools/eventually.ts'

const call = { caller: OPERATOR }
/** A model takes a moment for each reply; one that replies at once would ask for more before anybody can end its turn. */
const delayMs = 300
const touch = (name: string) => ({ ...tools(use('Bash', { command: `touch ${name}` })), delayMs })
const many = Array.from({ length: 8 }, (_, index) => `file-${index}`)

async function aRig(main: Reply[]) {
  const rig = await startEngine('here on sqlite', { main })
  const start = async (budget: object | undefined, more: object = {}, caller = OPERATOR) => {
    const session = await rig.engine.createSession(
      { caller },
      {
        options: StartOptions.parse({
          workingDirectory: rig.project,
          allowedTools: ['Bash(touch *)'],
          ...(budget ? { budget } : {}),
          ...more,
        }),
        ...(more && 'nested' in more ? {} : { content: 'make them' }),
      },
    )
    return rig.track(session)
  }
  const atRest = (id: string) =>
    eventually(async () => {
      const session = await rig.engine.getSession(call, { sessionId: id })
      if (isAtWork(session)) throw new Error('It is still at work.')
      return session
    })
  const treeOf = async (sessionId: string) => (await rig.engine.costs(call, { sessionId })).session
  return { rig, start, atRest, treeOf }
}

const asSession = (id: string) =>
  ({
    ...OPERATOR,
    id: `session ${id}`,
    kind: 'session',
    name: id,
    scopes: ['nested'],
    person: false,
  }) as never

test('children in parallel overrun by at most one request each; what one spent stays when it is removed (asked for: 4)', async () => {
  const names = ['a', 'b', 'c'].flatMap((child) => many.map((name) => `${child}-${name}`))
  const { rig, start, atRest, treeOf } = await aRig([...names.map(touch), say('done')])
  const limit = 6
  const top = await start({ toolCalls: limit }, { nested: true })
  const children = await Promise.all([1, 2, 3].map(() => start(undefined, {}, asSession(top.id))))
  for (const { id } of children) expect(await atRest(id)).toMatchObject({ status: 'interrupted' })
  const before = await treeOf(top.id)
  expect(before?.spent.toolCalls).toBeGreaterThanOrEqual(limit)
  // The largest overrun: one request to the model, here with one call, for each child at work.
  expect(before?.spent.toolCalls).toBeLessThanOrEqual(limit + children.length)
  const [first] = children
  // A session may delete what it started; it gains nothing by that.
  await rig.engine.deleteSession({ caller: asSession(top.id) }, { sessionId: first?.id ?? '', stop: true })
  expect(await treeOf(top.id)).toMatchObject({ below: 2, spent: { toolCalls: before?.spent.toolCalls } })
  await expect(start(undefined, {}, asSession(top.id))).rejects.toMatchObject({ code: 'over_budget' })
})

test('no session answers about a budget: not about its own, and not for those below it (asked for: 4)', async () => {
  const asking = tools(use('Bash', { command: 'mv a b' }))
  const { rig, start } = await aRig([...many.slice(0, 4).map(touch), asking, say('done')])
  const top = await start({ toolCalls: 6 }, { nested: true })
  const child = await start(undefined, {}, asSession(top.id))
  const question = await eventually(async () => {
    const [open] = await rig.engine.pending(call, { sessionId: top.id })
    if (!open) throw new Error('It is not asked yet.')
    return open
  })
  expect(question).toMatchObject({ kind: 'budget', sessionId: top.id })
  for (const caller of [asSession(top.id), asSession(child.id)]) {
    const answer = rig.engine.answer({ caller }, { approvalId: question.id, answers: ['raise to 100'] })
    await expect(answer).rejects.toMatchObject({
      code: expect.stringMatching(/forbidden|not_found/) as unknown,
    })
    expect((await rig.engine.pending({ caller }, {})).map(({ kind }) => kind)).not.toContain('budget')
  }
  await rig.engine.answer(call, { approvalId: question.id, answers: ['stop'] })
  await eventually(async () =>
    expect(await rig.engine.getSession(call, { sessionId: child.id })).toMatchObject({
      status: 'interrupted',
    }),
  )
})

test('a cost that comes late counts with the end of its turn; then the price is known, and the next turn ends in the middle (asked for: 4)', async () => {
  const replies = [...many.map(touch), say('done')]
  const { rig, start, atRest, treeOf } = await aRig([
    ...replies,
    ...many.map((name) => touch(`${name}-2`)),
    say('end'),
  ])
  const made = () => many.filter((name) => existsSync(join(rig.project, name))).length
  const first = await start({ usd: 0.0001 })
  // The cost comes late, with the end of the turn: then it counts, and the next turn is refused.
  expect(await atRest(first.id)).toMatchObject({ status: 'done' })
  expect(made()).toBe(many.length)
  await expect(rig.engine.startTurn(call, { sessionId: first.id, content: 'go' })).rejects.toMatchObject({
    code: 'over_budget',
  })
  const cost = (await treeOf(first.id))?.spent.usd ?? 0
  await rig.engine.setBudget(call, { sessionId: first.id, budget: { usd: cost * 1.3 } })
  await rig.engine.startTurn(call, { sessionId: first.id, content: 'go' })
  expect(await atRest(first.id)).toMatchObject({ status: 'interrupted', error: { code: 'over_budget' } })
})

test('a hub that is killed in the middle of turns neither loses nor doubles what was spent (asked for: 4)', async () => {
  const calls = ['a', 'b', 'c', 'd']
  const main = [...calls.map((name) => tools(use('Bash', { command: `echo ${name}` }))), say('done')]
  const crash = { point: 'after-commit', event: 'tool.used', nth: 1 } as const
  const session = await supervise({ scenario: { main }, answer: 'allow', crash })
  for (const next of [{ point: 'before-commit', event: 'tool.finished', nth: 1 } as const, undefined]) {
    expect(await session.ended()).toBe('SIGKILL')
    await session.start(next ? { crash: next } : {})
  }
  await session.event('turn.ended')
  const [report] = session.all('cost.reported')
  await session.kill()
  const store = await openSqliteStore(session.database)
  const [row] = await store.sessions.list({ limit: 1 })
  const sums = await store.costs.between(0, Date.now() + 1)
  await store.close()
  expect(row?.spent).toMatchObject({ toolCalls: calls.length, tokens: report?.tokens, turnTokens: 0 })
  expect(row?.costUsd).toBeCloseTo(report?.total ?? 0, 9)
  expect(sums.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(report?.total ?? 0, 9)
  expect(sums.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(report?.tokens)
})

test('a fork has the limits that its original has now, and what is left above must be enough for it (asked for: 4)', async () => {
  const { rig, start, atRest } = await aRig([touch('a'), say('done')])
  const top = await start({ toolCalls: 10 }, { nested: true })
  const child = await start({ toolCalls: 3 }, {}, asSession(top.id))
  expect(await atRest(child.id)).toMatchObject({ status: 'done' })
  await rig.engine.setBudget(call, { sessionId: child.id, budget: { toolCalls: 9 } })
  const fork = await rig.engine.fork({ caller: asSession(top.id) }, { sessionId: child.id })
  rig.track(fork)
  expect(fork).toMatchObject({ parentId: top.id, config: { budget: { toolCalls: 9 } } })
  await rig.engine.setBudget(call, { sessionId: child.id, budget: { toolCalls: 10 } })
  await expect(rig.engine.fork({ caller: asSession(top.id) }, { sessionId: child.id })).rejects.toMatchObject(
    { code: 'over_budget', data: { left: 9 } },
  )
})
