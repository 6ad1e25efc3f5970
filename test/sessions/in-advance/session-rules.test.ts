import { describe, expect, test } from 'vitest'
import { initialRunState, type RunState } from '../../../src/child/state/run-state.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { Grant } from '../../../src/approvals/grants/grant.ts'
import { parseRules, type RulesNow } from '../../../src/rules/rules-file.ts'
import { HomeGrants } from '../../../src/sessions/in-advance/home-grants.ts'
import { HubTime } from '../../../src/sessions/in-advance/hub-time.ts'
import { SessionGrants } from '../../../src/sessions/in-advance/session-grants.ts'
import { SessionRules } from '../../../src/sessions/in-advance/session-rules.ts'
import { aSession, GRANT } from '../../contracts/rows.ts'
import { aContext, bash } from '../../rules/rules-rig.ts'
import { asGrantId, asSessionId } from '../../rig/tools/ids.ts'

const { place } = aContext()
const trusted = { ...place, trusted: true }
const because = 'No.'
const rule = (effect: string, command: string, more: object = {}) => ({
  id: effect,
  effect,
  command,
  ...(effect === 'deny' ? { because } : {}),
  ...more,
})
const NEVER = { id: 'never', because }
const file = (rules: readonly object[], forbid: readonly object[] = []) =>
  parseRules(JSON.stringify({ v: 1, rules, forbid }))
const grant = (id: string, fields: object = {}): Grant => ({
  ...GRANT,
  id: asGrantId(id),
  rules: [{ id, effect: 'allow', command: ['make'], ...fields }],
})

interface Given {
  readonly home?: RulesNow
  readonly repository?: RulesNow
  readonly own?: readonly object[]
  readonly grants?: readonly Grant[]
  readonly config?: object
  readonly name?: string
  readonly open?: RunState
  readonly grantTime?: number
}

function rulesBy({ home, repository, own, grants = [], config = {}, name, open, grantTime = 0 }: Given) {
  const session = aSession({
    id: 'low',
    name,
    owner: 'ci',
    config: StartOptions.parse({ ...config, ...(own ? { rules: own } : {}) }),
  })
  const time = new HubTime(
    () => grantTime,
    () => 0,
  )
  const remembered = new SessionGrants(new HomeGrants({ time, onOver: () => {} }), () => ({
    turn: 3,
    inTurn: true,
  }))
  remembered.use(grants)
  return new SessionRules({
    session: () => session,
    state: () => ({ open: open ?? initialRunState }),
    environment: {
      env: { HOME: '/home/me' },
      ...(home ? { rules: () => home } : {}),
      ...(repository
        ? { repositoryRules: (cwd: string) => (cwd === '/code/web' ? repository : undefined) }
        : {}),
    },
    grants: remembered,
  })
}

const decided = (given: Given, line = 'make', at = place) => rulesBy(given).decided(bash(line), at)

describe('what decides', () => {
  test('is nothing where there is no rule', () => {
    const none = rulesBy({})
    expect([none.exist(place), none.exist(trusted)]).toEqual([false, false])
    expect([none.forbidden(bash('make'), place), none.decided(bash('make'), trusted)]).toEqual([
      undefined,
      undefined,
    ])
  })

  test.each<[string, Given, object]>([
    [
      'the file of the home folder',
      { home: { rules: file([rule('deny', 'make')]) } },
      { effect: 'deny', drawer: 'rules', ruleId: 'deny', because },
    ],
    [
      'the start of the session',
      { own: [rule('deny', 'make')] },
      { effect: 'deny', drawer: 'session', ruleId: 'deny' },
    ],
    [
      'an answer that was remembered',
      { grants: [grant('g')] },
      { effect: 'allow', drawer: 'granted', ruleId: 'g' },
    ],
  ])('is a rule of %s', (_, given, verdict) => {
    expect(rulesBy(given).exist(place)).toBe(true)
    expect(decided(given)).toMatchObject({ ...verdict, text: expect.stringContaining('make') as string })
    expect(decided(given, 'ninja')).toBeUndefined()
  })

  test('is a rule of the repository only in a folder that its person trusts', () => {
    const given = { repository: { rules: file([rule('deny', 'make')]) } }
    expect([rulesBy(given).exist(place), decided(given)]).toEqual([false, undefined])
    expect(rulesBy(given).exist(trusted)).toBe(true)
    expect(decided(given, 'make', trusted)).toMatchObject({ effect: 'deny', drawer: 'repository' })
    expect(decided(given, 'make', { ...trusted, cwd: '/work' })).toBeUndefined()
  })

  test('is the strictest of what was written, wherever it stands, with the hash of its file and no other', () => {
    const home = { rules: file([rule('deny', 'make'), rule('allow', 'ninja')]) }
    const given: Given = {
      home,
      own: [rule('ask', 'make'), rule('deny', 'cargo')],
      repository: { rules: file([rule('ask', 'ninja', { id: 'there' })]) },
    }
    expect(decided(given)).toMatchObject({ drawer: 'rules', effect: 'deny', digest: home.rules.digest })
    expect(decided(given, 'ninja')).toMatchObject({ effect: 'allow', digest: home.rules.digest })
    expect(decided(given, 'ninja', trusted)).toMatchObject({
      ruleId: 'there',
      digest: given.repository?.rules.digest,
    })
    expect(decided(given, 'cargo')).not.toHaveProperty('digest')
  })

  test('is what was written before what was remembered', () => {
    const home = { rules: file([rule('ask', 'make')]) }
    expect(decided({ home, grants: [grant('g')] })).toMatchObject({ effect: 'ask', drawer: 'rules' })
    const rules = rulesBy({ home, grants: [grant('g')] })
    expect(rules.granted(bash('make'), place)).toMatchObject({ effect: 'allow' })
    expect(rules.written(bash('make'), place)).toMatchObject({ effect: 'ask' })
  })

  test('is apart from what is forbidden', () => {
    const home = { rules: file([], [{ ...NEVER, command: 'make' }]) }
    const rules = rulesBy({ home })
    expect([rules.exist(place), rules.decided(bash('make'), place)]).toEqual([true, undefined])
    expect(rules.forbidden(bash('make'), place)).toMatchObject({
      effect: 'forbid',
      drawer: 'forbid',
      ruleId: 'never',
      digest: home.rules.digest,
    })
  })

  test('says who may answer and how long it waits, where the rule does', () => {
    const demands = rule('ask', 'make', { answerers: 'person', timeout: 60 })
    expect(decided({ own: [demands] })).toMatchObject({ answerers: [['person']], timeoutMs: 60_000 })
    expect(decided({ own: [rule('ask', 'make')] })).toEqual({
      effect: 'ask',
      drawer: 'session',
      ruleId: 'ask',
      text: expect.any(String) as string,
    })
  })
})

const supervised = (supervise: string) => ({ grants: [grant('g')], config: { supervise } })

const inTurn = (turn: number) => decided({ grants: [grant('g', { turn })] })?.effect

const allows = (more: object, given: Given = {}) =>
  decided({ ...given, home: { rules: file([rule('allow', 'make', more)]) } })?.effect

describe('a rule is compared with', () => {
  test('the session, its owner and its turn', () => {
    expect([allows({ session: 'low' }), allows({ session: 'other' })]).toEqual(['allow', undefined])
    expect([allows({ session: 'web' }, { name: 'web' }), allows({ session: 'web' })]).toEqual([
      'allow',
      undefined,
    ])
    expect([allows({ caller: 'ci' }), allows({ caller: 'operator' })]).toEqual(['allow', undefined])
    expect([inTurn(3), inTurn(2)]).toEqual(['allow', undefined])
  })

  test('the home folder of the user', () => {
    const given = {
      home: { rules: file([{ id: 'keys', effect: 'deny', tool: 'Read', path: '~/.ssh', because }]) },
    }
    const read = (file_path: string) =>
      rulesBy(given).decided({ toolName: 'Read', input: { file_path } }, place)?.effect
    expect([read('/home/me/.ssh'), read('/code/web/src')]).toEqual(['deny', undefined])
  })

  test('the folder that the call runs in, as our hook has seen it where the call does not say', () => {
    const given = { home: { rules: file([rule('allow', 'make', { folder: '/code/web/src' })]) } }
    const seen = { toolName: 'Bash', opinion: 'ask', asked: false, input: {}, cwd: '/code/web/src' } as const
    const open = { ...initialRunState, seen: new Map([['toolu', seen]]) }
    const effect = (call: object) =>
      rulesBy({ ...given, open }).decided({ ...bash('make'), cwd: undefined, ...call }, place)?.effect
    expect(effect({ toolUseId: 'toolu' })).toBe('allow')
    expect(effect({ toolUseId: 'another' })).toBeUndefined()
    expect(effect({ toolUseId: 'toolu', cwd: '/code/web' })).toBeUndefined()
  })

  test('the time of the machine, but by the time of the hub where it was remembered', () => {
    const expires = '2020-01-01T00:00:00Z'
    expect([allows({ expires }), allows({ expires: '2999-01-01T00:00:00Z' })]).toEqual([undefined, 'allow'])
    const granted = (grantTime: number) => decided({ grants: [grant('g', { expires })], grantTime })?.effect
    expect([granted(0), granted(Date.parse(expires))]).toEqual(['allow', undefined])
  })

  test('a line with harmless commands beside those it allows, where only what is not harmless is asked about', () => {
    expect(decided(supervised('asked'), 'make && ls')?.effect).toBe('allow')
    expect(decided(supervised('all'), 'make && ls')).toBeUndefined()
    expect(decided(supervised('all'), 'make')?.effect).toBe('allow')
  })
})

const below = (rules: readonly object[], forbid: readonly object[] = []) => {
  const low = rulesBy({ home: { rules: file(rules, forbid) } })
  low.ancestors = [{ id: asSessionId('middle'), name: 'm' }, { id: asSessionId('top') }]
  return low
}

describe('what a session above', () => {
  test('may not do, is not allowed here', () => {
    for (const session of ['middle', 'm', 'top']) {
      const low = below([rule('deny', 'make', { session }), rule('allow', 'make')])
      expect(low.decided(bash('make'), place)).toMatchObject({ effect: 'deny' })
    }
    const ordered = below([rule('allow', 'make', { session: 'low' }), rule('ask', 'make', { tree: 'top' })])
    expect(ordered.decided(bash('make'), place)).toMatchObject({ effect: 'ask' })
    expect(
      below([], [{ ...NEVER, command: 'make', session: 'top' }]).forbidden(bash('make'), place),
    ).toMatchObject({ effect: 'forbid' })
  })

  test('may do, is not thereby allowed here', () => {
    expect(below([rule('allow', 'make', { session: 'middle' })]).decided(bash('make'), place)).toBeUndefined()
    expect(below([rule('allow', 'make', { session: 'low' })]).decided(bash('make'), place)?.effect).toBe(
      'allow',
    )
  })
})

describe('rules that cannot be trusted', () => {
  const fault = 'rules.json is not JSON.'

  test('ask about whatever they decide; what is forbidden stays so', () => {
    const rules = file([rule('allow', 'make'), rule('deny', 'cargo')], [{ ...NEVER, command: 'rm *' }])
    const given = { home: { rules, fault } }
    for (const line of ['make', 'cargo'])
      expect(decided(given, line)).toMatchObject({ effect: 'ask', drawer: 'fault', because: fault })
    expect(decided(given, 'ninja')).toBeUndefined()
    expect(rulesBy(given).forbidden(bash('rm x'), place)).toMatchObject({ effect: 'forbid' })
  })

  test('ask about everything where none could ever be read', () => {
    const given = { home: { rules: file([]), fault }, grants: [grant('g')] }
    expect(rulesBy({ home: given.home }).exist(place)).toBe(true)
    for (const line of ['make', 'ls'])
      expect(decided(given, line)).toEqual({
        effect: 'ask',
        drawer: 'fault',
        because: fault,
        digest: given.home.rules.digest,
      })
  })

  test('ask about a call that cannot be compared with them', () => {
    const broken = {
      ...place,
      files: {
        ...place.files,
        realPath: () => {
          throw new Error('The disk does not answer.')
        },
      },
    }
    const given = { home: { rules: file([rule('allow', 'make', { folder: '/code/web' })]) } }
    expect(decided(given, 'make', broken)).toMatchObject({
      effect: 'ask',
      drawer: 'fault',
      because: 'The rules could not be compared with this call.',
    })
  })
})
