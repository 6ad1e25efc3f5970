import { describe, expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { compileRules } from '../../../src/rules/compiled-rules.ts'
import type { PastQuestion } from '../../../src/rules/learning/past-question.ts'
import type { RuleCall } from '../../../src/rules/rule-call.ts'
import { judgedSession, outcomeAnew, verdictAnew } from '../../../src/sessions/in-advance/judge-anew.ts'
import { aSession } from '../../contracts/rows.ts'
import { asSessionId } from '../../rig/tools/ids.ts'
import { aContext, bash, rulesOf } from '../../rules/rules-rig.ts'

const HOME = '/home/me/.plexus'
const NOW = Date.parse('2026-11-01T00:00:00Z')
const { files } = aContext().place
const ABOVE = [{ id: asSessionId('middle'), name: 'm' }, { id: asSessionId('top') }]

const judged = (options: object = {}, ancestors = ABOVE, name?: string) =>
  judgedSession(
    aSession({
      id: 'low',
      name,
      owner: 'ci',
      workingDirectory: '/code/web',
      config: StartOptions.parse(options),
    }),
    ancestors,
    { files, home: HOME, userHome: '/home/me', now: NOW },
  )
const because = 'No.'
const rule = (effect: string, more: object = {}) => ({
  id: effect,
  effect,
  command: 'make',
  because,
  ...more,
})

test('a session is judged as it is now', () => {
  const { context, plexusHome, own } = judged({ addDirs: ['/work'], rules: [rule('deny')] }, ABOVE, 'web')
  expect(context).toEqual({
    place: {
      files,
      bounds: { folders: ['/code/web', '/work'], except: [HOME] },
      cwd: '/code/web',
      trusted: false,
    },
    userHome: '/home/me',
    sessions: [{ id: 'low', name: 'web' }, ...ABOVE],
    caller: 'ci',
    now: NOW,
    harmlessIsAllowed: true,
  })
  expect([plexusHome, own.rules.map((one) => one.rule.id)]).toEqual([HOME, ['deny']])
  const plain = judged({ supervise: 'all' })
  expect(plain.context).toMatchObject({
    place: { bounds: { folders: ['/code/web'] } },
    harmlessIsAllowed: false,
  })
  expect(plain.own.rules).toEqual([])
})

const verdict = (rules: readonly object[], of = judged(), forbid: readonly object[] = []) =>
  verdictAnew(bash('make'), rulesOf(rules, forbid), of)

describe('a call is judged', () => {
  test('first by what is forbidden to the session or to one above it', () => {
    for (const session of ['low', 'm', 'top'])
      expect(
        verdict([rule('allow')], judged(), [{ id: 'never', command: 'make', session, because }]),
      ).toMatchObject({
        effect: 'forbid',
        ruleId: 'never',
      })
    expect(verdict([rule('allow')], judged(), [{ id: 'never', command: 'ninja', because }]).effect).toBe(
      'allow',
    )
  })

  test('then by the strictest of its own rules and those of the file', () => {
    const own = judged({ rules: [rule('deny', { id: 'own' })] })
    expect(verdict([rule('ask')], own)).toMatchObject({ effect: 'deny', drawer: 'session', ruleId: 'own' })
    expect(verdict([rule('deny')], judged({ rules: [rule('ask', { id: 'own' })] }))).toMatchObject({
      effect: 'deny',
      drawer: 'rules',
    })
    expect(verdict([])).toEqual({ effect: 'none' })
  })

  test('by the rules of the sessions above only where these refuse or ask', () => {
    expect(verdict([rule('allow', { session: 'low' }), rule('deny', { session: 'top' })]).effect).toBe('deny')
    expect(verdict([rule('allow', { session: 'low' }), rule('ask', { session: 'm' })]).effect).toBe('ask')
    expect(verdict([rule('allow', { session: 'm' })]).effect).toBe('none')
    const alone = judged({}, [])
    expect(verdict([rule('deny', { session: 'top' })], alone).effect).toBe('none')
  })

  test('by what is remembered where nothing else decides', () => {
    const remembered = compileRules([{ id: 'g', effect: 'allow', command: ['make'] }])
    const by = (rules: readonly object[]) => verdictAnew(bash('make'), rulesOf(rules), judged(), remembered)
    expect(by([])).toMatchObject({ effect: 'allow', drawer: 'granted', ruleId: 'g' })
    expect(by([rule('ask')])).toMatchObject({ effect: 'ask', drawer: 'rules' })
  })

  test('as one that is always asked about, where it could reach the files of Plexus and something allows it', () => {
    const reading: RuleCall = { toolName: 'mcp__files__read', input: { path: `${HOME}/operator.token` } }
    const by = (effect: string) =>
      verdictAnew(reading, rulesOf([{ id: 'r', effect, tool: 'mcp__files__read', because }]), judged())
    expect(by('allow')).toEqual({
      effect: 'ask',
      because: 'It could reach the files of Plexus, and is asked about each time.',
    })
    expect(by('deny')).toMatchObject({ effect: 'deny', ruleId: 'r' })
    expect(verdictAnew(reading, rulesOf([]), judged()).effect).toBe('none')
    const other = { ...reading, input: { path: 'src/a.ts' } }
    expect(
      verdictAnew(other, rulesOf([{ id: 'r', effect: 'allow', tool: 'mcp__files__read' }]), judged()).effect,
    ).toBe('allow')
  })
})

const anew = (byOther: boolean) => outcomeAnew(past(byOther), rulesOf([]), judged())

const past = (byOther: boolean): PastQuestion => ({
  id: 'a',
  label: 'web.1',
  at: NOW,
  call: bash('make'),
  status: 'allowed',
  wasDenied: false,
  outcome: 'allowed',
  byOther,
})

describe('a past question by another rules file', () => {
  test.each([
    ['allow', 'allowed'],
    ['deny', 'denied'],
    ['ask', 'asked'],
  ])('that says %s is %s', (effect, outcome) => {
    for (const byOther of [true, false])
      expect(outcomeAnew(past(byOther), rulesOf([rule(effect)]), judged())).toEqual({
        outcome,
        ruleId: effect,
      })
  })

  test('that decides nothing is what another rule made of it, else it is asked', () => {
    expect([anew(true), anew(false)]).toEqual([{ outcome: 'allowed' }, { outcome: 'asked' }])
  })
})
