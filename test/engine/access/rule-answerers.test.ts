import { expect, test } from 'vitest'
import type { StoredVerdict } from '../../../src/rules/verdict.ts'
import { strictest } from '../../../src/rules/verdict.ts'
import { isAboveSessions, requireAnswererOfRule } from '../../../src/engine/access/rule-answerers.ts'
import { asCallerId } from '../../rig/tools/ids.ts'
import { bash, rulesOf, verdictOn } from '../../rules/rules-rig.ts'

const verdict = (...answerers: string[][]): { verdict: StoredVerdict } => ({
  verdict: { effect: 'ask', drawer: 'rules', ruleId: 'deploys', answerers },
})
/** The rule names nobody. */
const unnamed = { verdict: { effect: 'ask', drawer: 'rules', ruleId: 'deploys' } } as const
const callers = {
  person: { id: asCallerId('operator'), kind: 'operator', person: true },
  model: { id: asCallerId('operator'), kind: 'operator', person: false },
  ci: { id: asCallerId('client ci'), kind: 'client', person: false },
  parent: { id: asCallerId('session 1'), kind: 'session', person: false },
} as const
const may = (asked: Parameters<typeof requireAnswererOfRule>[0]) =>
  Object.entries(callers).flatMap(([name, caller]) => {
    try {
      requireAnswererOfRule(asked, caller)
      return name
    } catch {
      return []
    }
  })

test('a rule that asks says which callers may answer; without one all may', () => {
  expect(may({})).toEqual(['person', 'model', 'ci', 'parent'])
  expect(may(unnamed)).toEqual(['person', 'model', 'ci', 'parent'])
  expect(may(verdict(['person']))).toEqual(['person'])
  expect(may(verdict(['operator']))).toEqual(['person', 'model'])
  expect(may(verdict(['client ci', 'session']))).toEqual(['ci', 'parent'])
  expect(may(verdict(['client other']))).toEqual([])
  expect(may(verdict(['person', 'session'], ['person'])), 'each rule counts').toEqual(['person'])
  expect(() => requireAnswererOfRule(verdict(['person']), callers.model)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('By the rule deploys only person may answer this') as string,
      data: { answerers: ['person'] },
    }),
  )
})

test('where no session may answer, none is responsible', () => {
  for (const asked of [{}, unnamed, verdict(), verdict(['session', 'person'])])
    expect(isAboveSessions(asked)).toBe(false)
  for (const asked of [verdict(['person']), verdict(['session', 'person'], ['person'])])
    expect(isAboveSessions(asked)).toBe(true)
})

test('of several rules that ask, none loosens what another says: all answerers must fit, and the shortest time counts', () => {
  const rules = rulesOf([
    { id: 'any', effect: 'ask', command: 'npm *', timeout: 600 },
    { id: 'deploys', effect: 'ask', command: 'deploy *', answerers: 'person', timeout: 60 },
    { id: 'never', effect: 'ask', command: 'git *', answerers: ['person', 'client ci'], timeout: 0 },
  ])
  expect(verdictOn(bash('deploy web'), rules)).toMatchObject({ answerers: [['person']], timeoutMs: 60_000 })
  expect(verdictOn(bash('npm i && deploy web && git push'), rules)).toMatchObject({
    ruleId: 'any',
    answerers: [['person'], ['person', 'client ci']],
    timeoutMs: 60_000,
  })
  expect(verdictOn(bash('git push'), rules)).toMatchObject({ timeoutMs: 0 })
  const repository = { effect: 'ask', drawer: 'repository', ruleId: 'r', timeoutMs: 0 } as const
  expect(strictest([repository, verdict(['person']).verdict])).toMatchObject({ answerers: [['person']] })
  expect(strictest([{ effect: 'deny' }, verdict(['person']).verdict])).toEqual({ effect: 'deny' })
})

test.each([
  [
    { effect: 'allow', command: 'ls', answerers: 'person' },
    'has answerers, which only a rule that asks can have',
  ],
  [{ effect: 'deny', command: 'ls', because: 'x', timeout: 5 }, 'has timeout, which only a rule that asks'],
  [{ effect: 'ask', command: 'ls', answerers: 'nobody' }, 'answerers must be person, operator'],
  [{ effect: 'ask', command: 'ls', timeout: -1 }, 'timeout must be a whole number'],
  [{ effect: 'ask', command: 'ls', timeout: 1.5 }, 'timeout must be a whole number'],
])('%j is refused', (rule, sentence) => {
  expect(() => rulesOf([{ id: 'x', ...rule }])).toThrow(sentence)
})
