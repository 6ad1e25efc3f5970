import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { hookOpinion, type HookPolicy } from '../../src/child/hook-opinion.ts'

const policy: HookPolicy = {
  supervise: 'asked',
  folders: ['/code/app'],
  plexusHome: '/home/ann/.plexus',
  cliVersion: '2.1.197',
}
const granted = (call: { toolName: string }) => call.toolName === 'Write'
const skill = (args: string) => ({ toolName: 'Skill', input: { skill: 'review', args } })
const bash = (command: unknown) => ({ toolName: 'Bash', input: { command, description: 'a < b' } })

describe('supervise: asked', () => {
  it("leaves the answer to the CLI's own rules", () => {
    expect(hookOpinion(policy, bash('rm -rf /'))).toBe('none')
    expect(hookOpinion(policy, { toolName: 'Write', input: { content: '<' } })).toBe('none')
  })

  it.each(['cat < /etc/passwd', 'cat</etc/passwd', 'cat <<EOF', 'wc -l < x | sort'])(
    'asks for %j',
    (command) => {
      expect(hookOpinion(policy, bash(command))).toBe('ask')
    },
  )

  it('leaves a redirection to a CLI that checks it', () => {
    for (const cliVersion of ['2.1.325', '2.2.0', '3.0.0'])
      expect(hookOpinion({ ...policy, cliVersion }, bash('cat < /etc/passwd'))).toBe('none')
  })

  it('asks for a redirection wherever a tool that runs commands keeps it', () => {
    expect(hookOpinion(policy, { toolName: 'REPL', input: { code: 'sh("cat < x")' } })).toBe('ask')
    expect(hookOpinion(policy, { toolName: 'Monitor', input: { command: 'tail -f < x' } })).toBe('ask')
    expect(hookOpinion(policy, bash(['cat', '<', 'x']))).toBe('ask')
    expect(hookOpinion(policy, { toolName: 'Bash', input: undefined })).toBe('none')
  })

  it('asks for a skill whose arguments mention a file', () => {
    const always = { ...policy, granted: () => true }
    expect(hookOpinion(always, skill('see @/etc/passwd'))).toBe('ask')
    expect(hookOpinion(policy, skill('see the last commit'))).toBe('none')
  })

  it.each([
    ['around the home', ['/home/ann']],
    ['that is everything', ['/']],
    ['inside the home', ['/home/ann/.plexus/runs']],
    ['that is the home', ['/home/ann/.plexus']],
    ['around the home, added to another', ['/code/app', '/home/ann']],
  ])('asks for every command in a folder %s', (_, folders) => {
    expect(hookOpinion({ ...policy, folders }, bash('ls'))).toBe('ask')
    expect(hookOpinion({ ...policy, folders }, { toolName: 'Read', input: {} })).toBe('none')
  })

  it('takes a folder that only begins alike for another folder', () => {
    expect(hookOpinion({ ...policy, folders: ['/home/ann/.plexus-2', '/home/an'] }, bash('ls'))).toBe('none')
  })
})

describe('supervise: writes and all', () => {
  it.each(['Read', 'Glob', 'Grep', 'LS', 'TodoWrite', 'ToolSearch', 'TaskOutput'])(
    'writes lets %s be',
    (toolName) => {
      expect(hookOpinion({ ...policy, supervise: 'writes' }, { toolName, input: {} })).toBe('none')
      expect(hookOpinion({ ...policy, supervise: 'all' }, { toolName, input: {} })).toBe('ask')
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
    expect(hookOpinion({ ...policy, supervise: 'writes' }, { toolName, input: {} })).toBe('ask'),
  )

  it('a grant answers in advance', () => {
    for (const supervise of ['writes', 'all'] as const) {
      expect(hookOpinion({ ...policy, supervise, granted }, { toolName: 'Write', input: {} })).toBe('none')
      expect(hookOpinion({ ...policy, supervise, granted }, { toolName: 'Edit', input: {} })).toBe('ask')
    }
  })
})

test('what was taken back is asked until its process has ended, but for what is granted still', () => {
  const takenBack = { ...policy, takenBack: (call: { toolName: string }) => call.toolName !== 'Read' }
  expect(hookOpinion(takenBack, bash('ls'))).toBe('ask')
  expect(hookOpinion(takenBack, { toolName: 'Read', input: {} })).toBe('none')
  expect(hookOpinion({ ...takenBack, granted }, { toolName: 'Write', input: {} })).toBe('none')
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
    strictness.map((supervise) => hookOpinion({ ...base, supervise }, of))

  it('a stricter supervision never asks less', () => {
    fc.assert(
      fc.property(call, folders, (anyCall, anyFolders) => {
        const asks = opinions({ ...policy, folders: anyFolders }, anyCall).map((opinion) => opinion === 'ask')
        expect(asks).toEqual(asks.toSorted((a, b) => Number(a) - Number(b)))
        expect(asks[2]).toBe(true)
      }),
    )
  })

  it('a grant for everything takes away exactly what supervision added, and nothing that guards the home', () => {
    fc.assert(
      fc.property(call, folders, (anyCall, anyFolders) => {
        const base = { ...policy, folders: anyFolders }
        const unasked = hookOpinion(base, anyCall)
        expect(opinions({ ...base, granted: () => true }, anyCall)).toEqual([unasked, unasked, unasked])
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
        const base = { ...policy, folders: [...others, folder], granted: () => true }
        expect(opinions(base, { toolName, input: anyInput })).toEqual(['ask', 'ask', 'ask'])
      }),
    )
  })
})

it('waiting for sessions below is no write, starting one is; with all both are asked', () => {
  const ownReadOnly = new Set(['mcp__plexus__claude_status'])
  const opinions = (supervise: HookPolicy['supervise']) =>
    ['claude_status', 'claude_start'].map((name) =>
      hookOpinion({ ...policy, supervise, ownReadOnly }, { toolName: `mcp__plexus__${name}`, input: {} }),
    )
  expect(opinions('asked')).toEqual(['none', 'none'])
  expect(opinions('writes')).toEqual(['none', 'ask'])
  expect(opinions('all')).toEqual(['ask', 'ask'])
})
