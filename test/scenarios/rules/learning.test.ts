import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { operator, startSessions } from '../../rig/hubs/sessions.ts'

const bash = (command: string) => tools(use('Bash', { command }))
const TWENTY = Array.from({ length: 20 }, (_, index) => bash(`install -d made/part-${index}`))
const home = (rules: object) => (folder: string) =>
  writeFile(join(folder, 'rules.json'), JSON.stringify(rules))

test('[1] a session asks twenty times without rules, and once with the rule that it was offered; the record of all of it verifies (asked for: 7) (asked for: 9)', async () => {
  const sessions = await startSessions({ store: 'sqlite', scenario: { main: [...TWENTY, say('done')] } })
  const { engine } = sessions
  const first = await sessions.start('go')
  for (const _ of TWENTY) {
    const { id: approvalId } = await sessions.question(first.id)
    await engine.answer(operator, { approvalId, approve: true })
  }
  expect(await sessions.settled(first.id)).toMatchObject({ status: 'done' })

  const second = await sessions.start('go')
  const question = await sessions.question(second.id)
  const { offers, compared } = await engine.offerRules(operator, { approvalId: question.id })
  expect(compared.questions).toBe(20)
  expect(offers.map(({ text }) => text)).toEqual([
    'allow command "install -d made/part-0"',
    'allow command "install *"',
  ])
  expect(offers.map(({ newlyAllowed }) => newlyAllowed.count)).toEqual([1, 20])
  const rememberRule = offers[1]?.id ?? ''
  await engine.answer(operator, { approvalId: question.id, approve: true, remember: 'always', rememberRule })
  expect(await sessions.settled(second.id)).toMatchObject({ status: 'done' })
  const decided = await engine.decisions(operator, { sessionId: second.id, limit: 50 })
  expect(decided).toHaveLength(20)
  expect(decided.filter(({ via }) => via !== 'rule')).toHaveLength(1)
  const explained = await engine.explainQuestion(operator, { approvalId: decided[0]?.id ?? '' })
  expect(explained.verdict).toMatchObject({
    effect: 'allow',
    drawer: 'granted',
    text: 'allow command "install *"',
  })

  const rows = await engine.listRecord(operator, { kind: 'settled', limit: 100 })
  expect(rows).toHaveLength(40)
  expect(await engine.verifyRecord(operator, {})).toEqual(
    expect.not.objectContaining({ broken: expect.anything() }),
  )
  await engine.deleteSession(operator, { sessionId: second.id, stop: true })
  const afterwards = await engine.explainQuestion(operator, { approvalId: decided[0]?.id ?? '' })
  expect(afterwards).toMatchObject({ source: 'record', status: 'allowed', verdict: explained.verdict })
})

describe('[2] an offer that would have allowed what was denied', () => {
  test('says which, and is remembered only with a second yes (asked for: 9)', async () => {
    const sessions = await startSessions({
      store: 'sqlite',
      scenario: { main: [bash('install -d bad'), bash('install -d good'), say('done')] },
    })
    const { engine } = sessions
    const { id } = await sessions.start('go')
    const denied = await sessions.question(id)
    await engine.answer(operator, { approvalId: denied.id, approve: false })
    const { id: approvalId } = await sessions.question(id)
    const { offers } = await engine.offerRules(operator, { approvalId })
    expect(offers.map(({ needsYes }) => needsYes)).toEqual([false, true])
    const [, wide] = offers
    expect(wide?.newlyAllowed).toMatchObject({
      denied: 1,
      examples: [{ question: denied.shortId, status: 'denied' }],
    })
    const answer = (rememberRule = '') =>
      engine.answer(operator, { approvalId, approve: true, remember: 'session', rememberRule })
    await expect(answer(wide?.id)).rejects.toThrow('would have allowed a call that was denied')
    await expect(answer('r-000000000000')).rejects.toThrow('offers no such rule')
    expect(await answer(`${wide?.id}-yes`)).toMatchObject({ status: 'allowed' })
    expect(await sessions.settled(id)).toMatchObject({ status: 'done' })
  })
})

test('nothing is offered for what could be forbidden, what a rule asks about, and what could reach the home folder', async () => {
  const sessions = await startSessions({
    store: 'sqlite',
    scenario: { main: [bash('cp a $x'), bash('mv a b'), bash('install -d ../home/x'), say('done')] },
    prepareHome: home({
      v: 1,
      forbid: [{ id: 'no', command: 'cp a b', because: 'No.' }],
      rules: [{ id: 'moves', effect: 'ask', command: 'mv *' }],
    }),
  })
  const { id } = await sessions.start('go')
  for (const _ of [1, 2, 3]) {
    const { id: approvalId } = await sessions.question(id)
    expect((await sessions.engine.offerRules(operator, { approvalId })).offers).toEqual([])
    await sessions.engine.answer(operator, { approvalId, approve: false })
  }
  expect(await sessions.settled(id)).toMatchObject({ status: 'done' })
})

test('[3] a replay of another file says what would be newly allowed, asked and denied; a call is tried in its session (asked for: 9)', async () => {
  const rules = { v: 1, rules: [{ id: 'make', effect: 'allow', command: 'install -d made' }] }
  const sessions = await startSessions({
    store: 'sqlite',
    scenario: {
      main: [bash('install -d made'), bash('install -d yes'), bash('cp a b'), bash('mv a b'), say('done')],
    },
    prepareHome: home(rules),
  })
  const { engine } = sessions
  const { id } = await sessions.start('go')
  for (const approve of [true, false, true]) {
    const { id: approvalId } = await sessions.question(id)
    await engine.answer(operator, { approvalId, approve })
  }
  await sessions.settled(id)
  const other = {
    v: 1,
    forbid: [{ id: 'no-moves', command: 'mv *', because: 'Stay.' }],
    rules: [{ id: 'copies', effect: 'allow', command: ['cp *', 'install -d yes'] }],
  }
  const report = await engine.replayRules(operator, { rules: other })
  expect(report).toMatchObject({
    questions: 4,
    unchanged: 0,
    newlyAllowed: {
      count: 2,
      denied: 1,
      examples: [{ call: 'Bash(cp a b)', status: 'denied', ruleId: 'copies' }, {}],
    },
    newlyAsked: { count: 1, examples: [{ call: 'Bash(install -d made)', status: 'allowed' }] },
    newlyDenied: { count: 1, examples: [{ call: 'Bash(mv a b)', ruleId: 'no-moves' }] },
  })
  expect(await engine.replayRules(operator, { rules })).toMatchObject({ unchanged: 4 })
  expect(await engine.testCall(operator, { sessionId: id, call: 'Bash(install -d made)' })).toMatchObject({
    effect: 'allow',
    ruleId: 'make',
  })
  expect(await engine.testCall(operator, { sessionId: id, call: 'Bash(make)' })).toMatchObject({
    effect: 'none',
    hook: 'ask',
  })
})

test('[14] three equal answers suggest a rule; never for what is forbidden, and none that contradicts an answer', async () => {
  const thrice = (word: string) => ['a', 'b', 'c'].map((name) => bash(`${word} ${name}`))
  const sessions = await startSessions({
    store: 'sqlite',
    scenario: { main: [...thrice('touch'), ...thrice('mkdir -p'), ...thrice('cp x'), say('done')] },
  })
  const { engine } = sessions
  const { id } = await sessions.start('go')
  const answers = [true, true, true, true, true, false, true, true, true]
  for (const approve of answers) {
    const { id: approvalId } = await sessions.question(id)
    await engine.answer(operator, { approvalId, approve })
  }
  await sessions.settled(id)
  await writeFile(
    join(sessions.folder, 'home/rules.json'),
    JSON.stringify({ v: 1, forbid: [{ id: 'no', command: 'cp *', because: 'No.' }] }),
  )
  const suggested = await engine.suggestRules(operator, {})
  expect(suggested.map(({ rule, answers: count, questions }) => [rule.command, count, questions])).toEqual([
    [['touch a|b|c'], 3, 3],
  ])
})
