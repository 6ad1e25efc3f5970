import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type HookPolicy,
  hookOpinion,
  isAlwaysAsked,
  type ToolCall,
} from '../../../src/child/policy/hook-opinion.ts'
import type { FileLookup } from '../../../src/shell/path-bounds.ts'

/** A disk on which every path is what it says and every folder is empty. */
const files: FileLookup = {
  realPath: (path) => path,
  hasEntry: () => true,
  names: () => [],
  text: () => undefined,
  hasBytes: () => undefined,
}
const inFolders = (folders: string[]): HookPolicy['place'] => ({
  files,
  bounds: { folders, except: ['/home/ann/.plexus'] },
  cwd: folders[0] ?? '/',
  trusted: false,
})
const policy: HookPolicy = {
  supervise: 'asked',
  place: inFolders(['/code/app']),
  plexusHome: '/home/ann/.plexus',
}
const opinionOf = (of: HookPolicy, call: ToolCall) => hookOpinion(of, call).opinion
const GRANTED = { effect: 'allow', drawer: 'granted', ruleId: 'g', text: 'allow it' } as const
/** Rules that were remembered, for all calls of which this holds. */
const granting = (holds: (call: { toolName: string }) => boolean = () => true) => ({
  rules: { forbidden: () => undefined, decided: (call: ToolCall) => (holds(call) ? GRANTED : undefined) },
})
const granted = granting(({ toolName }) => toolName === 'Write')
const skill = (args: string) => ({ toolName: 'Skill', input: { skill: 'review', args } })
const bash = (command: unknown, more: Partial<ToolCall> = {}): ToolCall => ({
  toolName: 'Bash',
  input: { command, description: 'a description' },
  ...more,
})

describe('S23: supervise: asked', () => {
  it('leaves what is known to be harmless, and what the CLI asks about, to the CLI', () => {
    expect(opinionOf(policy, bash('ls -la'))).toBe('none')
    for (const toolName of [
      'Read',
      'Write',
      'Edit',
      'WebFetch',
      'Agent',
      'Skill',
      'mcp__a__b',
      'ExitPlanMode',
    ])
      expect(opinionOf(policy, { toolName, input: { content: '<' } })).toBe('none')
  })

  it.each([
    'rm -rf /',
    'npm test',
    'cat < /etc/passwd',
    'cat <<EOF',
    'fold /etc/passwd',
    ['cat', 'x'],
    undefined,
  ])('asks for the command %j', (command) => {
    expect(opinionOf(policy, bash(command))).toBe('ask')
  })

  it.each([
    'EnterWorktree',
    'ExitWorktree',
    'CronCreate',
    'SendMessage',
    'Workflow',
    'ToolOfTomorrow',
    'toString',
  ])('asks for %s, of which it is not known that the CLI does', (toolName) => {
    expect(opinionOf(policy, { toolName, input: {} })).toBe('ask')
  })

  it('asks for other tools that run code, and for a command outside the sandbox', () => {
    expect(opinionOf(policy, { toolName: 'REPL', input: { code: '1' } })).toBe('ask')
    for (const toolName of ['Monitor', 'PowerShell'])
      expect(opinionOf(policy, { toolName, input: { command: 'ls' } })).toBe('ask')
    const input = { command: 'ls', dangerouslyDisableSandbox: true }
    expect(opinionOf(policy, { toolName: 'Bash', input })).toBe('ask')
  })

  it('judges a command by the folder that the shell is in', () => {
    expect(opinionOf(policy, bash('ls', { cwd: '/code/app/src' }))).toBe('none')
    expect(opinionOf(policy, bash('ls', { cwd: '/code' }))).toBe('ask')
    const nowhere = { ...policy, place: { ...policy.place, files: { ...files, realPath: () => undefined } } }
    expect(opinionOf(nowhere, bash('ls', { cwd: '/code/app' }))).toBe('ask')
  })

  it('brings the rule that answers, unless a grant does or the command could reach the home folder', () => {
    const ruled = { ...policy, ruleFor: () => ({ text: 'Bash(npm test) of user settings', isFlag: false }) }
    expect(hookOpinion(ruled, bash('npm test'))).toEqual({
      opinion: 'ask',
      rule: 'Bash(npm test) of user settings',
    })
    expect(hookOpinion(ruled, bash('cat /home/ann/.plexus/operator.token'))).toEqual({ opinion: 'ask' })
    expect(hookOpinion(ruled, bash('x $(cat /home/ann/.plexus/operator.token)'))).toEqual({ opinion: 'ask' })
    expect(hookOpinion({ ...ruled, ...granting() }, bash('npm test')).rule).toBeUndefined()
  })

  it('leaves to the CLI what a flag of the child allows, but for the home folder and where all is asked about', () => {
    const text = 'Bash(npm test) of allowedTools'
    const flagged = { ...policy, ruleFor: () => ({ text, isFlag: true }) }
    expect(hookOpinion(flagged, bash('npm test'))).toEqual({ opinion: 'none', rule: text })
    expect(opinionOf(flagged, bash('cat /home/ann/.plexus/operator.token'))).toBe('ask')
    expect(opinionOf({ ...flagged, supervise: 'writes' }, bash('npm test'))).toBe('ask')
    expect(opinionOf({ ...flagged, givenRule: () => true }, bash('npm test'))).toBe('ask')
  })

  it('asks about nothing where the mode was chosen for that, but for the home folder', () => {
    for (const mode of ['bypassPermissions', 'auto']) {
      expect(opinionOf(policy, bash('npm test', { mode }))).toBe('none')
      expect(opinionOf(policy, bash('cat /home/ann/.plexus/operator.token', { mode }))).toBe('ask')
    }
  })

  it('refuses in dontAsk what no rule and no grant allows', () => {
    const mode = 'dontAsk'
    expect(opinionOf(policy, bash('awk 1 x', { mode }))).toBe('deny')
    expect(opinionOf(policy, bash('ls', { mode }))).toBe('none')
    expect(
      opinionOf({ ...policy, ruleFor: () => ({ text: 'a rule', isFlag: false }) }, bash('awk 1 x', { mode })),
    ).toBe('ask')
    expect(opinionOf({ ...policy, ...granting() }, bash('awk 1 x', { mode }))).toBe('ask')
    expect(opinionOf(policy, { toolName: 'EnterWorktree', input: {}, mode })).toBe('deny')
  })

  it.each([
    ['mkdir -p src/new && touch src/new/x', 'none'],
    ['rm src/old.ts', 'none'],
    ["sed -i 's/a/b/g' src/x.ts", 'none'],
    ['rm -rf .', 'ask'],
    ['rm -rf ..', 'ask'],
    ['cp x .git/hooks/pre-commit', 'ask'],
    ['mv x .claude/settings.json', 'ask'],
    ["sed -i 's/a/b/e' x", 'ask'],
    ["sed -i 's/a/b/w out' x", 'ask'],
    ['touch /etc/x', 'ask'],
    ['curl http://127.0.0.1', 'ask'],
    ['echo x > src/new.ts', 'ask'],
    ['touch *', 'ask'],
  ])('in acceptEdits for %j: %s', (command, opinion) => {
    expect(opinionOf(policy, bash(command, { mode: 'acceptEdits' }))).toBe(opinion)
  })

  it('asks for a skill whose arguments mention a file', () => {
    const always = { ...policy, ...granting() }
    expect(opinionOf(always, skill('see @/etc/passwd'))).toBe('ask')
    expect(opinionOf(policy, skill('see the last commit'))).toBe('none')
  })

  it.each([
    ['around the home', ['/home/ann']],
    ['that is everything', ['/']],
    ['inside the home', ['/home/ann/.plexus/runs']],
    ['that is the home', ['/home/ann/.plexus']],
    ['around the home, added to another', ['/code/app', '/home/ann']],
  ])('asks for every command in a folder %s', (_, folders) => {
    const place = inFolders(folders)
    expect(
      opinionOf({ ...policy, place, ruleFor: () => ({ text: 'a rule', isFlag: false }) }, bash('ls')),
    ).toBe('ask')
    expect(opinionOf({ ...policy, place }, { toolName: 'Read', input: {} })).toBe('none')
  })

  it('takes a folder that only begins alike for another folder', () => {
    const place = inFolders(['/home/ann/.plexus-2', '/home/an'])
    expect(opinionOf({ ...policy, place }, bash('ls'))).toBe('none')
  })
})

describe('supervise: writes and all', () => {
  it.each(['Read', 'Glob', 'Grep', 'LS', 'TodoWrite', 'ToolSearch', 'TaskOutput'])(
    'writes lets %s be',
    (toolName) => {
      expect(opinionOf({ ...policy, supervise: 'writes' }, { toolName, input: {} })).toBe('none')
      expect(opinionOf({ ...policy, supervise: 'all' }, { toolName, input: {} })).toBe('ask')
    },
  )

  it.each([
    'Write',
    'Bash',
    'Task',
    'Agent',
    'WebFetch',
    'Skill',
    'mcp__a__Read',
    'read',
    'ToolOfTomorrow',
    'toString',
  ])('writes asks for %s', (toolName) =>
    expect(opinionOf({ ...policy, supervise: 'writes' }, { toolName, input: {} })).toBe('ask'),
  )

  it('a grant is named, and answers the question when it comes', () => {
    for (const supervise of ['writes', 'all'] as const) {
      expect(opinionOf({ ...policy, supervise, ...granted }, { toolName: 'Write', input: {} })).toBe('ask')
      expect(hookOpinion({ ...policy, supervise, ...granted }, { toolName: 'Write', input: {} })).toEqual({
        opinion: 'ask',
        verdict: GRANTED,
      })
      expect(hookOpinion({ ...policy, supervise, ...granted }, { toolName: 'Edit', input: {} })).toEqual({
        opinion: 'ask',
      })
    }
  })
})

test('what a rule of an older version could let run in its process is asked about, but for what is granted still', () => {
  const given = { ...policy, givenRule: (call: { toolName: string }) => call.toolName !== 'Read' }
  expect(opinionOf(given, bash('ls'))).toBe('ask')
  expect(opinionOf(given, { toolName: 'Read', input: {} })).toBe('none')
  expect(hookOpinion({ ...given, ...granted }, { toolName: 'Write', input: {} })).toEqual({
    opinion: 'none',
    verdict: GRANTED,
  })
})

describe('whatever the call', () => {
  const name = fc.constantFrom(
    'Read',
    'Write',
    'Bash',
    'Monitor',
    'PowerShell',
    'REPL',
    'WebFetch',
    'mcp__x__y',
    '',
  )
  const input = fc.oneof(fc.record({ command: fc.string() }), fc.jsonValue(), fc.constant(undefined))
  const call = fc.record({ toolName: name, input })
  const folders = fc.array(
    fc.constantFrom('/', '/work', '/home/ann', '/home/ann/.plexus', '/home/ann/.plexus/runs'),
  )
  const strictness = ['asked', 'writes', 'all'] as const
  const opinions = (base: HookPolicy, of: { toolName: string; input: unknown }) =>
    strictness.map((supervise) => opinionOf({ ...base, supervise }, of))

  it('a stricter supervision never asks less', () => {
    fc.assert(
      fc.property(call, folders, (anyCall, anyFolders) => {
        const asks = opinions({ ...policy, place: inFolders(anyFolders) }, anyCall).map(
          (opinion) => opinion === 'ask',
        )
        expect(asks).toEqual(asks.toSorted((a, b) => Number(a) - Number(b)))
        expect(asks[2]).toBe(true)
      }),
    )
  })

  it('a grant for everything changes nothing about what is asked, and is named but where the home is guarded', () => {
    fc.assert(
      fc.property(call, folders, (anyCall, anyFolders) => {
        const base = { ...policy, place: inFolders(anyFolders) }
        expect(opinions({ ...base, ...granting() }, anyCall)).toEqual(opinions(base, anyCall))
        const named = hookOpinion({ ...base, ...granting() }, anyCall).verdict
        expect(named).toEqual(isAlwaysAsked(base, anyCall) ? undefined : GRANTED)
      }),
    )
  })

  it('a command that can reach the home is asked, granted or not', () => {
    const reaching = fc.constantFrom(
      '/',
      '/home',
      '/home/ann',
      '/home/ann/.plexus',
      '/home/ann/.plexus/runs/1',
    )
    const runner = fc.constantFrom('Bash', 'Monitor', 'PowerShell', 'REPL')
    fc.assert(
      fc.property(runner, input, folders, reaching, (toolName, anyInput, others, folder) => {
        const base = { ...policy, place: inFolders([...others, folder]), ...granting() }
        expect(opinions(base, { toolName, input: anyInput })).toEqual(['ask', 'ask', 'ask'])
      }),
    )
  })
})

it('waiting for sessions below is no write, starting one is; with all both are asked', () => {
  const ownReadOnly = new Set(['mcp__plexus__claude_status'])
  const opinions = (supervise: HookPolicy['supervise']) =>
    ['claude_status', 'claude_start'].map((name) =>
      opinionOf({ ...policy, supervise, ownReadOnly }, { toolName: `mcp__plexus__${name}`, input: {} }),
    )
  expect(opinions('asked')).toEqual(['none', 'none'])
  expect(opinions('writes')).toEqual(['none', 'ask'])
  expect(opinions('all')).toEqual(['ask', 'ask'])
})

const withInput = (input: unknown, more: Partial<ToolCall> = {}) =>
  opinionOf(policy, { toolName: 'Bash', input, ...more })

describe('a command that is harmless by itself is asked about', () => {
  test('where it would leave a process', () => {
    expect(withInput({ command: 'ls', run_in_background: true })).toBe('ask')
    expect(withInput({ command: 'ls', run_in_background: false })).toBe('none')
  })

  test('where it wants to leave the sandbox', () => {
    expect(withInput({ command: 'ls', dangerouslyDisableSandbox: true })).toBe('ask')
    expect(withInput({ command: 'ls', dangerouslyDisableSandbox: false })).toBe('none')
  })

  test.each([undefined, null, 'ls', 7, [], {}, { command: undefined }, { command: ['ls'] }])(
    'where %j is all that can be read',
    (input) => {
      expect(withInput(input)).toBe('ask')
    },
  )

  test('where the folder of the shell is not there any more', () => {
    const gone: FileLookup = { ...files, realPath: (path) => (path === '/code/app/gone' ? undefined : path) }
    const place = { ...policy.place, files: gone }
    const inFolder = (cwd: string, line: string) => opinionOf({ ...policy, place }, bash(line, { cwd }))
    for (const line of ['ls', 'echo a'])
      expect([inFolder('/code/app/gone', line), inFolder('/code/app', line)]).toEqual(['ask', 'none'])
  })
})

const edit = (mode: string) => opinionOf(policy, bash('touch a.txt', { mode }))

test('an edit in place is left to the CLI only in the mode that accepts edits', () => {
  expect([edit('acceptEdits'), edit('default'), edit('plan')]).toEqual(['none', 'ask', 'ask'])
})

test('what is no plain command and names the home folder is asked about, whatever was granted', () => {
  const call = { toolName: 'Bash', input: { command: ['cat /home/ann/.plexus/operator.token'] } }
  expect(isAlwaysAsked(policy, call)).toBe(true)
  expect(isAlwaysAsked(policy, { toolName: 'Bash', input: undefined })).toBe(false)
})

test.each([
  { path: '/home/ann/.plexus/operator.token' },
  { command: 'cat /home/ann/.plexus/operator.token' },
])(
  'S15: a tool of an MCP server that names the home folder is asked about, whatever was granted: %j',
  (input) => {
    const call = { toolName: 'mcp__files__read', input }
    expect(isAlwaysAsked(policy, call)).toBe(true)
    expect(opinionOf({ ...policy, ...granting() }, call)).toBe('ask')
  },
)

describe('a verdict of the rules of Plexus', () => {
  type Verdict = NonNullable<ReturnType<NonNullable<HookPolicy['rules']>['decided']>>
  const said = (effect: Verdict['effect'], drawer: Verdict['drawer'] = 'rules'): Verdict => ({
    effect,
    drawer,
    ruleId: 'r',
    text: 'the rule',
  })
  const judged = (rules: { forbidden?: Verdict; decided?: Verdict }, call = bash('ls'), of = policy) =>
    hookOpinion({ ...of, rules: { forbidden: () => rules.forbidden, decided: () => rules.decided } }, call)

  it.each(['forbid', 'deny'] as const)('that says %s refuses, in every mode', (effect) => {
    const verdict = said(effect)
    for (const mode of ['default', 'bypassPermissions', 'dontAsk', 'plan'])
      expect(judged({ decided: verdict }, bash('ls', { mode }))).toEqual({ opinion: 'deny', verdict })
  })

  it('that asks has it asked about, also where nothing else would; a mode that never asks refuses', () => {
    const verdict = said('ask')
    expect(judged({ decided: verdict })).toEqual({ opinion: 'ask', verdict })
    expect(judged({ decided: verdict }, bash('ls', { mode: 'bypassPermissions' })).opinion).toBe('ask')
    expect(judged({ decided: verdict }, bash('ls', { mode: 'dontAsk' })).opinion).toBe('deny')
  })

  it('that forbids goes before every other, and before what is always asked about', () => {
    const forbidden = said('forbid', 'forbid')
    const allowed = said('allow')
    expect(judged({ forbidden, decided: allowed })).toEqual({ opinion: 'deny', verdict: forbidden })
    const call = bash('cat /home/ann/.plexus/operator.token')
    expect(judged({ forbidden, decided: allowed }, call).opinion).toBe('deny')
    expect(judged({ decided: allowed }, call)).toEqual({ opinion: 'ask' })
    const couldBe = said('ask', 'forbid')
    expect(judged({ forbidden: couldBe, decided: allowed })).toEqual({ opinion: 'ask', verdict: couldBe })
  })

  it('that allows is never a yes of the hook: the question is asked, and has the rule that answers it', () => {
    const verdict = said('allow')
    expect(judged({ decided: verdict }, bash('npm test'))).toEqual({
      opinion: 'ask',
      rule: 'the rule',
      verdict,
    })
    expect(judged({ decided: verdict }, bash('ls'))).toEqual({ opinion: 'none', rule: 'the rule', verdict })
    const all = { ...policy, supervise: 'all' } as const
    expect(judged({ decided: verdict }, bash('ls'), all).opinion).toBe('ask')
    expect(judged({ decided: verdict }, bash('npm test', { mode: 'dontAsk' })).opinion).toBe('ask')
    const older = { ...policy, givenRule: () => true }
    expect(judged({ decided: verdict }, bash('ls'), older).opinion).toBe('none')
  })

  it('that was remembered is looked up again when the question comes', () => {
    const verdict = said('allow', 'granted')
    expect(judged({ decided: verdict }, bash('npm test'))).toStrictEqual({ opinion: 'ask', verdict })
  })

  it('that allows without a text has an empty one', () => {
    const { text: _, ...verdict } = said('allow')
    expect(judged({ decided: verdict }, bash('npm test')).rule).toBe('')
  })
})
