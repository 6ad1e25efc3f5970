import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { PERMISSION_MODES } from '../../../src/base/permission-modes.ts'

function refusal(input: unknown): string {
  const result = StartOptions.safeParse(input)
  expect(result.success, `${JSON.stringify(input)} was accepted`).toBe(false)
  return result.error?.issues.map((issue) => issue.message).join(' ') ?? ''
}

const agent = { description: 'Reviews', prompt: 'Look.' }

describe('start options', () => {
  it('are complete when nothing is said', () => {
    expect(StartOptions.parse({})).toEqual({
      permissionMode: 'default',
      supervise: 'asked',
      dangerouslySkipPermissions: false,
    })
  })

  it('take every option at once', () => {
    const all = {
      name: 'ship it, please',
      workingDirectory: '/work',
      addDirs: ['/a b', '/c,d'],
      model: 'opus',
      fallbackModel: 'sonnet,haiku',
      effort: 'xhigh',
      permissionMode: 'plan',
      supervise: 'writes',
      allowedTools: ['Write', 'Bash(git diff *)', 'mcp__github__get_issue', 'Bash(python -c "print(1)")'],
      disallowedTools: ['WebFetch(domain:example.com)'],
      tools: [],
      maxTurns: 3,
      maxBudgetUsd: 0.5,
      systemPrompt: '- be brief\n- be kind',
      agents: {
        reviewer: { ...agent, tools: ['Read'], disallowedTools: ['Bash'], model: 'haiku', maxTurns: 2 },
      },
      mcpServers: {
        files: { command: 'files-server', args: ['--root', '${HOME}'], env: { A: 'b' } },
        web: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
      },
      outputSchema: { type: 'object', properties: { a: { type: 'string' } } },
      worktree: 'feature/one.two',
      env: { _A1: '-x' },
      dangerouslySkipPermissions: false,
      carrier: 'mcp',
    }
    expect(StartOptions.parse(all)).toEqual(all)
  })

  it.each(PERMISSION_MODES)('know the permission mode %s', (permissionMode) => {
    expect(StartOptions.parse({ permissionMode }).permissionMode).toBe(permissionMode)
  })
})

it('a name is not like the short id of a question', () => {
  const names = ['web', 'web.3', 'web.12', 'web.0', 'web.3b', 'web.3.x', 'v1.1234567890']
  expect(names.filter((name) => StartOptions.safeParse({ name }).success)).toEqual([
    'web',
    'web.0',
    'web.3b',
    'web.3.x',
    'v1.1234567890',
  ])
  expect(refusal({ name: 'web.3' })).toMatch(/^name may not end with a dot and a number/)
})

it('skipped permissions go with the modes that say nothing against it, and the refusal is about the flag', () => {
  const skipped = PERMISSION_MODES.map((permissionMode) =>
    StartOptions.safeParse({ permissionMode, dangerouslySkipPermissions: true }),
  )
  const allowed = PERMISSION_MODES.filter((_, at) => skipped[at]?.success)
  expect(allowed).toEqual(['default', 'bypassPermissions', 'cli'])
  for (const { error } of skipped)
    expect(error?.issues[0]?.path ?? ['dangerouslySkipPermissions']).toEqual(['dangerouslySkipPermissions'])
})

describe('a refusal names the option and says what to do', () => {
  it.each([
    ['an unknown option', { modell: 'opus' }, /no start option modell; remove it/],
    ['an empty name', { name: '' }, /^name may not be empty; leave it out/],
    ['a name with an escape sequence', { name: 'a\u001b[2J' }, /^name may not contain control/],
    ['a name of another kind', { name: 7 }, /^name must be text/],
    ['a name that is too long', { name: 'x'.repeat(201) }, /^name may have at most 200/],
    ['a NUL in a path', { workingDirectory: '/a\0b' }, /^workingDirectory may not contain control/],
    ['a NUL in the system prompt', { systemPrompt: 'a\0b' }, /^systemPrompt may not contain a NUL/],
    ['a NUL in a variable', { env: { A: '\0' } }, /^env: a value may not contain a NUL/],
    ['a variable with = in its name', { env: { 'A=B': 'c' } }, /^env: a name may have/],
    ['an unknown effort', { effort: 'huge' }, /^effort must be one of low, medium/],
    ['an unknown mode', { permissionMode: 'manual' }, /^permissionMode must be one of default/],
    ['an unknown supervision', { supervise: 'none' }, /^supervise must be one of asked/],
    ['an unknown carrier', { carrier: 'smoke' }, /^carrier must be one of control/],
    ['a text for a list', { addDirs: '/a' }, /^addDirs must be a list/],
    ['no turns', { maxTurns: 0 }, /^maxTurns must be at least 1/],
    ['half a turn', { maxTurns: 1.5 }, /^maxTurns must be a whole number/],
    ['no money', { maxBudgetUsd: 0 }, /^maxBudgetUsd must be more than 0/],
    ['endless money', { maxBudgetUsd: Infinity }, /^maxBudgetUsd must be a number/],
    ['a schema that is a text', { outputSchema: '{}' }, /^outputSchema must be an object/],
    ['a worktree above the folder', { worktree: 'a/../../b' }, /^worktree must be true, false/],
    ['a worktree of another kind', { worktree: 3 }, /^worktree must be true, false/],
    [
      'skipped permissions in plan mode',
      { permissionMode: 'plan', dangerouslySkipPermissions: true },
      /^danger.*leave one/,
    ],
    ['options that are a text', 'plan', /^The start options must be an object/],
    ['rules that are a text', { tools: 'Read' }, /^tools must be a list of texts/],
    ['yes for true', { nested: 'yes' }, /^nested must be true or false/],
    ['yes for true', { wakeParent: 'yes' }, /^wakeParent must be true or false/],
    [
      'yes for true',
      { dangerouslySkipPermissions: 'yes' },
      /^dangerouslySkipPermissions must be true or false/,
    ],
    ['a worktree with a space', { worktree: 'a b' }, /^worktree must be true, false/],
    [
      'skipped permissions where edits are accepted',
      { permissionMode: 'acceptEdits', dangerouslySkipPermissions: true },
      /cannot go with permissionMode acceptEdits;/,
    ],
    ['an agent that is a text', { agents: { a: 'b' } }, /^agents must be an object of agents by name/],
    ['an agent with hooks', { agents: { a: { ...agent, hooks: {} } } }, /^agents: .* leave out hooks/],
    [
      'an agent with a mode',
      { agents: { a: { ...agent, permissionMode: 'auto' } } },
      /leave out permissionMode/,
    ],
    ['an agent without a prompt', { agents: { a: { description: 'x' } } }, /^agents: prompt must be text/],
    [
      'a server that is the permit server',
      { mcpServers: { plexus: { command: 'x' } } },
      /^mcpServers: .*choose another/,
    ],
    ['a server in disguise', { mcpServers: { Plexus: { command: 'x' } } }, /^mcpServers: .*choose another/],
    ['a server name with a dot', { mcpServers: { 'a.b': { command: 'x' } } }, /^mcpServers: a name may have/],
    [
      'a command that makes headers',
      { mcpServers: { a: { type: 'http', url: 'http://x', headersHelper: 'id' } } },
      /^mcpServers: .*nothing more/,
    ],
    [
      'a variable in a URL',
      { mcpServers: { a: { type: 'http', url: 'http://x/${ANTHROPIC_API_KEY}' } } },
      /^mcpServers: .*write the value itself/,
    ],
    [
      'a variable in a header',
      { mcpServers: { a: { type: 'sse', url: 'http://x', headers: { h: '${A}' } } } },
      /write the value itself/,
    ],
    [
      'a URL that is a file',
      { mcpServers: { a: { type: 'http', url: 'file:///x' } } },
      /^mcpServers: url must begin/,
    ],
  ])('%s', (_, input, message) => {
    expect(refusal(input)).toMatch(message)
  })
})

describe('S7: text that would be a flag is refused', () => {
  const flag = '--dangerously-skip-permissions'
  it.each([
    ['name', { name: flag }],
    ['workingDirectory', { workingDirectory: flag }],
    ['addDirs', { addDirs: ['/a', flag] }],
    ['model', { model: flag }],
    ['fallbackModel', { fallbackModel: flag }],
    ['allowedTools', { allowedTools: ['Read', flag] }],
    ['disallowedTools', { disallowedTools: [flag] }],
    ['tools', { tools: [flag] }],
    ['agents', { agents: { [flag]: agent } }],
  ])('S7: %s may not begin with a dash', (option, input) => {
    expect(refusal(input)).toMatch(new RegExp(`^${option}.* may not begin with "-"`))
  })

  it('S7: a worktree or MCP server that begins with a dash is refused', () => {
    expect(refusal({ worktree: flag })).toMatch(/^worktree must be/)
    expect(refusal({ mcpServers: { [flag]: { command: 'x' } } })).toMatch(/^mcpServers: a name/)
  })

  it('S7: one element of a list of rules cannot hold a second rule', () => {
    for (const element of [
      'Read,Bash',
      'Read Bash',
      'Bash(zz (b) Bash (c))',
      'A(b))(, Bash)',
      'Bash(a',
      '(a)',
      'a)',
    ])
      expect(refusal({ allowedTools: [element] })).toMatch(/^allowedTools takes one rule per element/)
  })

  it('S7: whatever rule is accepted, the CLI finds exactly one in it', () => {
    const piece = fc.constantFrom('Bash', 'Read', '(', ')', ',', ' ', '*', 'git ', '()')
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const rule = pieces.join('')
        fc.pre(StartOptions.safeParse({ allowedTools: [rule] }).success)
        expect(splitAsTheCliDoes(rule)).toEqual([rule])
      }),
      { numRuns: 1000 },
    )
  })
})

/** Measured: a comma or space cuts, unless a parenthesis was opened and none closed since. */
function splitAsTheCliDoes(text: string): string[] {
  const parts = ['']
  let inside = false
  for (const char of text) {
    if (char === '(') inside = true
    if (char === ')') inside = false
    if (!inside && (char === ',' || char === ' ')) parts.push('')
    else parts.push((parts.pop() ?? '') + char)
  }
  return parts.filter((part) => part !== '')
}
