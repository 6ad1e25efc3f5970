import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { claudeArguments } from '../../../src/commands/outside/claude-arguments.ts'
import { PASSED_ON } from '../../../src/commands/outside/claude-flags.ts'
import { AppError } from '../../../src/base/errors.ts'
import { runs } from '../../rig/tools/property-runs.ts'

const sentenceFor = (...given: string[]): string => {
  try {
    claudeArguments(given)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return error.message
    throw error
  }
  return 'taken'
}

test.each([
  ['--dangerously-skip-permissions'],
  ['--dangerously-skip-permissions=true'],
  ['--allow-dangerously-skip-permissions'],
  ['--permission-prompt-tool', 'mcp__mine__yes'],
  ['--permission-prompt-tool=stdio'],
  ['--permission-prompts=none'],
  ['--settings', '{"disableAllHooks":true}'],
  ['--settings=x.json'],
  ['--setting-sources', ''],
  ['--bare'],
  ['--safe-mode'],
  ['--agents={}'],
  ['--agent', 'mine'],
  ['--plugin-dir=x'],
  ['--plugin-url', 'https://x'],
  ['--bg'],
  ['--background'],
  ['--worktree'],
  ['-w'],
  ['-pw'],
  ['--tmux'],
  ['--remote-control'],
  ['--replay-user-messages'],
  ['--sdk-url=x'],
  ['--dangerously-load-development-channels', 'server:x'],
  ['--input-format', 'stream-json'],
  ['--input-format=stream-json'],
  ['--permission-mode', 'bypassPermissions'],
  ['--permission-mode=auto'],
  ['--permission-mode', 'default', '--permission-mode', 'auto'],
  ['--permission-mode=auto', '--permission-mode=default'],
  ['--Settings', 'x'],
  ['--setting'],
  ['---settings', 'x'],
  ['-x'],
  ['-p-x'],
  ['--'.concat('=x')],
])('%s is refused by its name', (...words) => {
  const [flag = ''] = words[0]?.split('=') ?? []
  const named = flag === '-pw' ? '-w' : flag === '-p-x' ? '--' : flag
  expect(sentenceFor('-p', ...words)).toMatch(/^plexus run does not take -/)
  expect(sentenceFor('-p', ...words)).toContain(named)
  expect(sentenceFor(...words, '-p', 'do it')).toContain(named)
})

test('what follows -- is the prompt, whatever it looks like', () => {
  const given = claudeArguments(['-p', '--', '--dangerously-skip-permissions', '-x'])
  expect(given).toMatchObject({ args: ['--print'], prompt: ['--dangerously-skip-permissions', '-x'] })
})

test('flags are read as the CLI reads them, and written as one word each', () => {
  const given = claudeArguments([
    '-pc',
    'do it',
    '--model',
    '--odd',
    '--output-format=json',
    '--disallowed-tools',
    'WebFetch',
    'WebSearch',
    '--max-turns',
    '3',
    '-rabc',
    '--debug',
    '--verbose',
  ])
  expect(given.args).toEqual([
    '--print',
    '--continue',
    '--model=--odd',
    '--output-format=json',
    '--disallowedTools=WebFetch',
    '--disallowedTools=WebSearch',
    '--max-turns=3',
    '--resume=abc',
    '--debug',
    '--verbose',
  ])
  expect(given).toMatchObject({ prompt: ['do it'], isPrinting: true, choosesConversation: true })
})

test('what the hub judges by is taken out of the arguments, because the hub passes it on', () => {
  const given = claudeArguments([
    '-p',
    'do it',
    '--permission-mode',
    'manual',
    '--allowedTools',
    'Bash(git diff *), Read',
    'Write',
    '--allowedTools=Bash(a b',
    '--add-dir',
    '../x',
    '/y',
  ])
  expect(given).toEqual({
    args: ['--print'],
    prompt: ['do it'],
    isPrinting: true,
    choosesConversation: false,
    permissionMode: 'default',
    // The last is no rule. It stays whole, so that it does not become a wider one.
    allowedTools: ['Bash(git diff *)', 'Read', 'Write', 'Bash(a b'],
    addDirs: ['../x', '/y'],
    mcpConfigs: [],
  })
})

test('a flag without its value, and a value for a flag that has none, are refused', () => {
  expect(sentenceFor('-p', '--model')).toBe('--model needs a value.')
  expect(sentenceFor('--print=yes')).toBe('--print takes no value.')
})

const word = fc.oneof(
  fc.constantFrom(...PASSED_ON.keys()).map((name) => `--${name}`),
  fc.constantFrom('--settings', '--bare', '-p', '-pc', '-r', '-d', '--', '-', 'default', 'auto', 'text', ''),
  fc
    .tuple(fc.constantFrom(...PASSED_ON.keys(), 'settings', 'x'), fc.string())
    .map(([name, value]) => `--${name}=${value}`),
  fc.string(),
)

/** Undefined where it was refused in one sentence. */
function readOrRefused(given: readonly string[]) {
  try {
    return claudeArguments(given)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

const nameIn = (arg: string) => /^--([^=]+)(?:=.*)?$/s.exec(arg)?.[1] ?? arg

test('whatever is given, only known flags are passed on, in one word each, and reading them again changes nothing', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (given) => {
      const read = readOrRefused(given)
      fc.pre(read !== undefined)
      const names = read.args.map(nameIn)
      expect(names.filter((name) => !PASSED_ON.has(name))).toEqual([])
      expect(names).not.toContain('permission-mode')
      expect(names).not.toContain('allowedTools')
      expect(read.args.filter((arg) => arg.startsWith('--input-format') && !arg.endsWith('=text'))).toEqual(
        [],
      )
      expect([undefined, 'default', 'acceptEdits', 'plan', 'dontAsk']).toContain(read.permissionMode)
      const again = claudeArguments([...read.args, '--', ...read.prompt])
      expect([again.args, again.prompt]).toEqual([read.args, read.prompt])
    }),
    { numRuns: runs(1_000) },
  )
})
