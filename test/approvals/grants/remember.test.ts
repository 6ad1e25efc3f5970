import { describe, expect, test } from 'vitest'
import { type Remember, rememberedBy, rulesToGrant } from '../../../src/approvals/grants/remember.ts'
import { exactCallOf, exactCallText, isExactly } from '../../../src/rules/exact/exact-call.ts'
import { type Grant, isWide, keeperOf } from '../../../src/approvals/grants/grant.ts'
import { SCOPES } from '../../../src/rules/exact/grant-scopes.ts'
import { anApproval } from '../../contracts/rows.ts'
import { asGrantId, asSessionId } from '../../rig/tools/ids.ts'

const cwd = '/project'
const exactly = (toolName: string, input: Record<string, unknown>) => {
  const exact = exactCallOf({ toolName, input, cwd })
  if (!exact) throw new Error('no exact call')
  return exact
}

test('for a tool of the CLI the command, file or address is remembered', () => {
  const exact = exactly('Bash', { command: 'ls', description: 'look' })
  const bash = (input: object) => isExactly(exact, { toolName: 'Bash', input, cwd })
  expect(bash({ command: 'ls', description: 'look again', timeout: 9 })).toBe(true)
  expect(bash({ command: 'ls; rm x' })).toBe(false)
  expect(bash({ command: 'ls', dangerouslyDisableSandbox: true })).toBe(false)
  expect(isExactly(exact, { toolName: 'Write', input: { command: 'ls' }, cwd })).toBe(false)
})

test('for any other tool only the exact call is remembered', () => {
  const get = { url: 'http://host/thing', method: 'GET' }
  const exact = exactly('mcp__web__request', get)
  expect(isExactly(exact, { toolName: 'mcp__web__request', input: get })).toBe(true)
  const other = { ...get, method: 'DELETE' }
  expect(isExactly(exact, { toolName: 'mcp__web__request', input: other })).toBe(false)
  expect(isExactly(exact, { toolName: 'mcp__web__other', input: get })).toBe(false)
})

test('S26: two calls without an input, or with one that is no object, are compared as a whole', () => {
  const exact = exactly('Bash', {})
  for (const input of [undefined, null, 'ls', 7])
    expect(isExactly(exact, { toolName: 'Bash', input, cwd })).toBe(false)
})

describe('S26: the folder', () => {
  test.each([
    ['Bash', { command: 'touch a' }, true],
    ['PowerShell', { command: 'a' }, true],
    ['Agent', { prompt: 'a' }, true],
    ['Grep', { pattern: 'a' }, true],
    ['Write', { file_path: 'a', content: '' }, true],
    ['Read', { file_path: '~/a' }, true],
    ['Read', {}, true],
    ['Write', { file_path: '/a', content: '' }, false],
    ['Edit', { file_path: '/a' }, false],
    ['NotebookEdit', { file_path: '/a' }, true],
    ['WebSearch', { query: 'a' }, false],
    ['WebFetch', { url: 'http://host' }, false],
    ['mcp__web__get', { path: 'a' }, false],
  ])('a call of %s with %j is another one in another folder: %s', (toolName, input, depends) => {
    const exact = exactly(toolName, input)
    expect(isExactly(exact, { toolName, input, cwd })).toBe(true)
    expect(isExactly(exact, { toolName, input, cwd: '/project/sub' })).toBe(!depends)
    expect(isExactly(exact, { toolName, input })).toBe(!depends)
    expect(exactCallOf({ toolName, input }) === undefined).toBe(depends)
    expect(exact.folder).toBe(depends ? cwd : undefined)
  })
})

test.each([
  ['Read', { file_path: '/a', offset: 1 }, { file_path: '/a', offset: 2 }, { file_path: '/b', offset: 1 }],
  ['WebFetch', { url: 'http://a', prompt: 'x' }, { url: 'http://a', prompt: 'y' }, { url: 'http://b' }],
])('of %s its file or address is remembered', (toolName, input, same, other) => {
  const exact = exactly(toolName, input)
  expect(isExactly(exact, { toolName, input: same, cwd })).toBe(true)
  expect(isExactly(exact, { toolName, input: other, cwd })).toBe(false)
})

test.each([
  ['Write', { file_path: '/a', content: 'x' }, { file_path: '/a', content: 'y' }],
  [
    'Edit',
    { file_path: '/a', old_string: 'x', new_string: '' },
    { file_path: '/a', old_string: 'y', new_string: '' },
  ],
])(
  'of %s the whole change is remembered: another change of the same file is another call',
  (toolName, input, other) => {
    const exact = exactly(toolName, input)
    expect(isExactly(exact, { toolName, input, cwd })).toBe(true)
    expect(isExactly(exact, { toolName, input: other, cwd })).toBe(false)
    expect(exactCallText(exact)).toMatch(new RegExp(`^exactly this ${toolName} of "/a"`))
  },
)

test('a change that an older version remembered by its file allows every change of it, and its text says so', () => {
  const exact = { toolName: 'Edit', subject: '/a' }
  expect(isExactly(exact, { toolName: 'Edit', input: { file_path: '/a', old_string: 'y' }, cwd })).toBe(true)
  expect(isExactly(exact, { toolName: 'Edit', input: { file_path: '/b', old_string: 'y' }, cwd })).toBe(false)
  expect(exactCallText(exact)).toBe('every Edit of "/a"')
})

test('a call of a tool of the CLI without its file, address or command is remembered whole', () => {
  for (const toolName of ['Read', 'WebFetch', 'Bash']) {
    const exact = exactly(toolName, { other: 1 })
    expect(isExactly(exact, { toolName, input: { other: 1 }, cwd })).toBe(true)
    expect(isExactly(exact, { toolName, input: { other: 2 }, cwd })).toBe(false)
  }
})

const id = asGrantId('g')
const place = { sessionId: asSessionId('s'), topmostId: asSessionId('t'), workingDirectory: cwd, turn: 2 }
const suggestions = [
  { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash', ruleContent: 'git push *' }] },
]
const asked = anApproval({ input: { command: 'git push' }, suggestions, cwd })
const kept = (remember: Remember, endsAt?: number) =>
  rememberedBy(rulesToGrant(asked, place, { id, remember, endsAt }) ?? [])

describe('S26: what is remembered', () => {
  test('is the exact call, and rules only if they were chosen', () => {
    const call = { call: 'Bash: git push', folder: cwd }
    const text = 'allow exactly Bash "git push", in exactly folder "/project", in session "s"'
    expect(kept('session')).toEqual({ ...call, rules: [], texts: [text] })
    expect(kept('suggested')).toEqual({
      ...call,
      rules: ['Bash(git push *)'],
      texts: [text, 'allow tool "Bash", command "git push *", in session "s"'],
    })
  })

  test('says in its text where it holds, and until when (asked for: 2)', () => {
    const [call, until] = ['allow exactly Bash "git push"', 'until 1970-01-01T00:00:00.000Z']
    expect(kept('turn', 0).texts).toEqual([
      `${call}, in exactly folder "/project", in session "s", in turn 2, ${until}`,
    ])
    expect(kept('tree', 0).texts).toEqual([`${call}, in exactly folder "/project", in tree "t", ${until}`])
    expect(kept('folder', 0).texts).toEqual([`${call}, in folder "/project", ${until}`])
    expect(kept('always', 0).texts).toEqual([`${call}, ${until}`])
  })

  test('has a text that a person can read, however long the call is', () => {
    const long = anApproval({ input: { command: 'x'.repeat(50_000) }, cwd })
    const { texts } = rememberedBy(rulesToGrant(long, place, { id, remember: 'session' }) ?? [])
    expect(texts[0]).toContain('(of 50000 characters)')
    expect(texts[0]?.length).toBeLessThan(2_200)
  })
})

describe('what is remembered in a scope', () => {
  const asking = {
    sessionId: asSessionId('s2'),
    topmostId: asSessionId('s1'),
    workingDirectory: '/project',
    turn: 3,
  }
  const granted = (scope: Grant['scope'], more: object = {}) =>
    rulesToGrant(anApproval({ input: { command: 'ls' }, cwd: '/project/src' }), asking, {
      id: asGrantId('g'),
      remember: scope,
      ...more,
    }) ?? []
  const grant = (scope: Grant['scope']): Grant => ({
    id: asGrantId('g'),
    sessionId: asking.sessionId,
    by: 'ann',
    at: 1,
    scope,
    rules: granted(scope),
  })

  test('is about the exact call, its folder where the scope names none, and the limits of the scope', () => {
    const exact = { toolName: 'Bash', subject: 'ls' }
    const here = { ...exact, folder: '/project/src' }
    const both = { id: 'g', effect: 'allow' }
    expect(granted('turn')).toEqual([{ ...both, exact: here, session: ['s2'], turn: 3 }])
    expect(granted('session')).toEqual([{ ...both, exact: here, session: ['s2'] }])
    expect(granted('tree')).toEqual([{ ...both, exact: here, tree: ['s1'] }])
    expect(granted('folder')).toEqual([{ ...both, exact, folder: '/project' }])
    expect(granted('always')).toEqual([{ ...both, exact }])
  })

  test('between turns is about no turn at all', () => {
    const [rule] =
      rulesToGrant(
        anApproval({ cwd: '/a' }),
        { ...asking, turn: undefined },
        { id: asGrantId('g'), remember: 'turn' },
      ) ?? []
    expect(rule?.turn).toBe(-1)
  })

  test('of an offered rule keeps the folder that the rule names, and not its examples', () => {
    const offered = {
      id: 'o',
      effect: 'allow',
      command: ['ls *'],
      folder: '/other',
      examples: { match: ['ls a'] },
    } as const
    const rules = granted('folder', { offered: { ...offered, command: ['ls *'] } })
    expect(rules).toMatchObject([{ id: 'g', command: ['ls *'], folder: '/other' }])
    expect(rules[0]?.examples).toBeUndefined()
  })

  test('is removed with its session or its tree, or outlives all', () => {
    expect(SCOPES.map((scope) => [scope, keeperOf(grant(scope)), isWide(grant(scope))])).toEqual([
      ['turn', 's2', false],
      ['session', 's2', false],
      ['tree', 's1', true],
      ['folder', undefined, true],
      ['always', undefined, true],
    ])
  })
})
