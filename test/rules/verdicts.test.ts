import { describe, expect, test } from 'vitest'
import { compileRules, type RuleList } from '../../src/rules/compiled-rules.ts'
import { decideByList } from '../../src/rules/decide.ts'
import { aContext, bash, effectOn, rulesOf, verdictOn } from './rules-rig.ts'

const because = 'No.'

describe('a line that several rules allow', () => {
  const RULES = rulesOf([
    { id: 'make', effect: 'allow', command: 'make', because: 'It only builds.' },
    { id: 'test', effect: 'allow', command: 'npm test' },
    { id: 'lint', effect: 'allow', command: 'oxlint', because: 'It only reads.' },
  ])
  const on = (line: string) => verdictOn(bash(line), RULES)

  test('names each of them once, with their reasons', () => {
    expect(on('make && npm test; oxlint; make')).toEqual({
      effect: 'allow',
      drawer: 'rules',
      ruleId: 'make, test, lint',
      text: 'allow command "make"; allow command "npm test"; allow command "oxlint"',
      because: 'It only builds. It only reads.',
    })
  })

  test('has no reason where none of them has one', () => {
    const rules = rulesOf([
      { id: 'a', effect: 'allow', command: 'a1' },
      { id: 'b', effect: 'allow', command: 'b1' },
    ])
    expect(verdictOn(bash('a1; b1'), rules)).toMatchObject({ ruleId: 'a, b', because: undefined })
  })

  test('names the one rule alone where it allows all', () => {
    expect(on('make; make')).toMatchObject({ ruleId: 'make', text: 'allow command "make"' })
  })
})

describe('a rule that asks', () => {
  const RULES = rulesOf([
    { id: 'push', effect: 'ask', command: 'git push *', answerers: ['person', 'client ci'], timeout: 60 },
    { id: 'tag', effect: 'ask', command: 'git tag *', answerers: 'operator', timeout: 0 },
    { id: 'log', effect: 'ask', command: 'git log *' },
  ])
  const demands = (line: string) => {
    const { effect, ruleId, answerers, timeoutMs } = verdictOn(bash(line), RULES)
    return { effect, ruleId, answerers, timeoutMs }
  }

  test('says who may answer, and how long it waits', () => {
    const answerers = [['person', 'client ci']]
    expect(demands('git push')).toEqual({ effect: 'ask', ruleId: 'push', answerers, timeoutMs: 60_000 })
  })

  test('demands nothing that it does not say', () => {
    expect(verdictOn(bash('git log'), RULES)).not.toHaveProperty('answerers')
    expect(verdictOn(bash('git log'), RULES)).not.toHaveProperty('timeoutMs')
  })

  test('loosens nothing that another rule demands for the same line', () => {
    expect(demands('git tag a; git push; git log')).toEqual({
      effect: 'ask',
      ruleId: 'tag',
      answerers: [['operator'], ['person', 'client ci']],
      timeoutMs: 60_000,
    })
    expect(demands('git tag a')).toMatchObject({ timeoutMs: 0 })
  })
})

const about = (line: string, ...rules: object[]) => verdictOn(bash(line), rulesOf(rules)).ruleId

const read = (...rules: object[]) =>
  verdictOn({ toolName: 'Read', input: { file_path: '/a' }, cwd: '/work' }, rulesOf(rules)).ruleId

describe('the first rule that matches decides', () => {
  const denies = { id: 'deny', effect: 'deny', command: 'git push *', because }
  const asksAll = { id: 'tool', effect: 'ask', tool: 'Bash' }
  const allows = { id: 'allow', effect: 'allow', command: 'git push *' }

  test('among rules for the command and for the whole call', () => {
    expect(about('git push', denies, asksAll)).toBe('deny')
    expect(about('git push', asksAll, denies)).toBe('tool')
    expect(about('git push', asksAll, allows)).toBe('tool')
    expect(about('git push', allows, asksAll)).toBe('allow')
    expect(about('git push', allows, denies)).toBe('allow')
    expect(about('git push', denies, allows)).toBe('deny')
  })

  test('among rules for whole calls, by name and by pattern', () => {
    const byPattern = { id: 'pattern', effect: 'deny', tool: 'R*', because }
    const byName = { id: 'name', effect: 'ask', tool: 'Read' }
    expect([read(byPattern, byName), read(byName, byPattern)]).toEqual(['pattern', 'name'])
  })

  test('but a line is decided by the strictest verdict on its commands', () => {
    expect(about('git log; git push', { id: 'log', effect: 'ask', command: 'git log' }, denies)).toBe('deny')
  })

  test('of a command in the arguments of another the rule that allows the other hides nothing', () => {
    const allowsNice = { id: 'nice', effect: 'allow', command: ['nice git push', 'nice make'] }
    expect(about('nice git push', allowsNice, denies)).toBe('deny')
    expect(about('nice make; git log', allowsNice, { id: 'log', effect: 'ask', command: 'git log' })).toBe(
      'log',
    )
  })
})

test('a call that could be one that a rule refuses is asked about, and the reason says so', () => {
  const rules = rulesOf([{ id: 'd', effect: 'deny', command: 'rm -rf *', because }])
  const { effect, ruleId, because: reason } = verdictOn(bash('rm $flags x'), rules)
  expect([effect, ruleId]).toEqual(['ask', 'd'])
  expect(reason).toMatch(/could be one that this rule is about/)
})

test('what only a rule that asks demands is lost where another denies', () => {
  const rules = rulesOf([
    { id: 'ask', effect: 'ask', command: 'a1', timeout: 5, answerers: 'person' },
    { id: 'deny', effect: 'deny', command: 'b1', because },
    { id: 'allow', effect: 'allow', command: 'c1' },
  ])
  expect(verdictOn(bash('a1; b1'), rules)).toStrictEqual({
    effect: 'deny',
    drawer: 'rules',
    ruleId: 'deny',
    text: 'deny command "b1"',
    because,
  })
  expect(verdictOn(bash('c1'), rules)).not.toHaveProperty('timeoutMs')
})

test('no rule decides nothing, whatever the call is', () => {
  expect(verdictOn(bash('((('), rulesOf([]))).toEqual({ effect: 'none' })
  expect(verdictOn(bash('((('), rulesOf([{ id: 'a', effect: 'allow', command: 'make' }])).effect).toBe('none')
})

const denies = (conditions: object) =>
  rulesOf([{ id: 'd', effect: 'deny', command: 'rm *', because, ...conditions }])

const rule = (id: string, command: string) => ({ id, effect: 'ask', command })

const first = (...commands: string[]) =>
  verdictOn(bash('git push'), rulesOf(commands.map((command, index) => rule(`r${index}`, command)))).ruleId

describe('a rule about a command counts', () => {
  test('only where its other conditions hold, and is asked about where that is not known', () => {
    expect(effectOn('rm x', denies({ session: 'web' }))).toBe('deny')
    expect(effectOn('rm x', denies({ session: 'other' }))).toBe('none')
    expect(effectOn('rm x', denies({ folder: '/code/web' }))).toBe('deny')
    expect(verdictOn({ ...bash('rm x'), cwd: undefined }, denies({ folder: '/code/web' })).effect).toBe('ask')
  })

  test('for words that only the shell knows only where they could be such a command', () => {
    expect(effectOn('rm $x', denies({}))).toBe('deny')
    expect(effectOn('$x y', denies({}))).toBe('ask')
    expect(effectOn('ls $x', denies({}))).toBe('none')
    expect(effectOn('ls $x', rulesOf([{ id: 'd', effect: 'deny', command: 'ls a b', because }]))).toBe('ask')
  })

  test('before a later one, whichever of them names the program', () => {
    expect(first('g* push', 'git push', 'git *')).toBe('r0')
    expect(first('git *', 'g* push', 'git push')).toBe('r0')
    expect(first('npm *', 'git push', '* push')).toBe('r1')
  })
})

const on = (list: RuleList, file_path: string, turn?: number) =>
  decideByList(
    { toolName: 'Read', input: { file_path }, cwd: '/code/web' },
    aContext({ turn }),
    list,
    'granted',
  ).effect

const exact = (toolName: string, subject: string, more: object = {}) =>
  compileRules([{ id: 'g', effect: 'allow', exact: { toolName, subject }, ...more }])

test('what was remembered holds in its turn only, and never for the files of Plexus', () => {
  expect(on(exact('Read', '/work/a'), '/work/a')).toBe('allow')
  expect(on(exact('Read', '/work/a'), '/work/b')).toBe('none')
  expect(on(exact('Read', '/work/a', { turn: 3 }), '/work/a', 3)).toBe('allow')
  expect(on(exact('Read', '/work/a', { turn: 3 }), '/work/a', 4)).toBe('none')
  const token = '/home/me/.local/state/plexus/operator.token'
  expect(on(exact('Read', token), token)).toBe('none')
  expect(on(exact('Read', 'out/.local/state/plexus/x'), 'out/.local/state/plexus/x')).toBe('none')
})
