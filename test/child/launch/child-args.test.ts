import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { childArgs, MAX_ARGUMENT_BYTES, type Birth } from '../../../src/child/launch/child-args.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { codePoint } from '../../rig/tools/code-point.ts'

const ID = '3f1b6a52-9d55-4c1e-8f0e-1f6a7d1c2b3a'
const OTHER = 'c0ffee00-1111-4222-8333-444455556666'
const birth: Birth = { kind: 'new', sessionId: ID, settings: { a: 1 }, trusted: false }

const argsFor = (options: object, born: Birth = birth) => childArgs(StartOptions.parse(options), born)
const adding = (folder: string) => ({ addDirs: [`/${folder}`] })
/** What an option adds to the command line of a session without any. */
const added = (options: object, born: Birth = birth) => {
  const plain = new Set(argsFor({}, born))
  return argsFor(options, born).filter((arg) => !plain.has(arg))
}

describe('the command line of a child', () => {
  it('says this much when nothing is asked for', () => {
    expect(argsFor({})).toEqual([
      '-p',
      '--input-format=stream-json',
      '--output-format=stream-json',
      '--verbose',
      '--include-partial-messages',
      '--replay-user-messages',
      `--session-id=${ID}`,
      '--permission-mode=default',
      '--setting-sources=user',
      '--permission-prompt-tool=stdio',
      '--settings={"a":1}',
    ])
  })

  const file = { ...birth, mcpConfigPath: '/run/mcp config.json' }
  it.each<[string, object, string[], Birth?]>([
    ['name', { name: 'a b' }, ['--name=a b']],
    ['workingDirectory', { workingDirectory: '/a' }, []],
    ['addDirs', { addDirs: ['/a b', '/c,d'] }, ['--add-dir=/a b', '--add-dir=/c,d']],
    ['model', { model: 'opus' }, ['--model=opus']],
    ['fallbackModel', { fallbackModel: 'a,b' }, ['--fallback-model=a,b']],
    ['effort', { effort: 'low' }, ['--effort=low']],
    ['permissionMode', { permissionMode: 'acceptEdits' }, ['--permission-mode=acceptEdits']],
    ['supervise', { supervise: 'all' }, []],
    [
      'allowedTools',
      { allowedTools: ['Write', 'Bash(git *)'] },
      ['--allowedTools=Write', '--allowedTools=Bash(git *)'],
    ],
    ['no allowedTools', { allowedTools: [] }, []],
    ['tools of ours without nested', {}, [], { ...file, ownTools: ['mcp__plexus__a'] }],
    [
      'nested',
      { nested: true },
      ['--allowedTools=mcp__plexus__a', '--allowedTools=mcp__plexus__b'],
      { ...file, ownTools: ['mcp__plexus__a', 'mcp__plexus__b'] },
    ],
    ['disallowedTools', { disallowedTools: ['Bash'] }, ['--disallowedTools=Bash']],
    ['tools', { tools: ['Read', 'Write'] }, ['--tools=Read', '--tools=Write']],
    ['no tools at all', { tools: [] }, ['--tools=']],
    ['maxTurns', { maxTurns: 3 }, ['--max-turns=3']],
    ['maxBudgetUsd, which the hub holds itself', { maxBudgetUsd: 1.5 }, []],
    ['systemPrompt', { systemPrompt: '--x\ny' }, []],
    ['agents', { agents: { a: { description: 'd', prompt: 'p' } } }, []],
    ['mcpServers', { mcpServers: { a: { command: 'secret' } } }, [], file],
    ['outputSchema', { outputSchema: { type: 'object' } }, ['--json-schema={"type":"object"}']],
    ['a worktree', { worktree: true }, ['--worktree']],
    ['a named worktree', { worktree: 'a/b' }, ['--worktree=a/b']],
    ['no worktree', { worktree: false }, []],
    ['env', { env: { A: 'b' } }, []],
    ['dangerouslySkipPermissions', { dangerouslySkipPermissions: true }, ['--dangerously-skip-permissions']],
    ['carrier', { carrier: 'mcp' }, ['--permission-prompt-tool=mcp__plexus__loopback_permit'], file],
  ])('%s', (_, options, expected, born) => {
    expect(added(options, born)).toEqual(expected)
  })

  it('leaves the mode to the CLI when the option says so', () => {
    const others = argsFor({}).filter((arg) => !arg.startsWith('--permission-mode'))
    expect(argsFor({ permissionMode: 'cli' })).toEqual(others)
  })

  it('names the MCP config file and never what is in it', () => {
    const args = argsFor({ mcpServers: { a: { command: 'secret' } } }, file)
    expect(args).toContain('--mcp-config=/run/mcp config.json')
    expect(args.join()).not.toContain('secret')
    expect(() => argsFor({ mcpServers: {} })).toThrow(/needs its MCP config file/)
    expect(() => argsFor({ carrier: 'mcp' })).toThrow(/needs its MCP config file/)
  })

  it('loads the settings of the project only where it is trusted', () => {
    expect(argsFor({}, { ...birth, trusted: true })).toContain('--setting-sources=user,project,local')
  })

  it('resumes a session', () => {
    const resume: Birth = { ...birth, kind: 'resume', sessionId: ID }
    expect(argsFor({}, resume)).toContain(`--resume=${ID}`)
    expect(argsFor({}, resume).join()).not.toContain('--session-id')
    expect(argsFor({}, { ...resume, transcript: `/a b/${ID}.jsonl` })).toContain(`--resume=/a b/${ID}.jsonl`)
  })

  it('does not ask for a second worktree when it resumes', () => {
    const args = argsFor({ worktree: true }, { ...birth, kind: 'resume', sessionId: ID })
    expect(args.filter((arg) => arg.startsWith('--worktree') || !arg.startsWith('-'))).toEqual([])
  })

  it('forks a session, at its end or at a message', () => {
    const fork: Birth = { kind: 'fork', from: OTHER, sessionId: ID, settings: {}, trusted: false }
    const expected = [`--resume=${OTHER}`, '--fork-session', `--session-id=${ID}`]
    expect(argsFor({}, fork).slice(6, 10)).toEqual([...expected, '--permission-mode=default'])
    expect(argsFor({}, { ...fork, at: OTHER })).toContain(`--resume-session-at=${OTHER}`)
    expect(argsFor({}, { ...fork, transcript: '/t/x.jsonl' })).toContain('--resume=/t/x.jsonl')
  })
})

/** Each argument ends with a NUL. */
const bytes = (args: string[]) => args.reduce((sum, arg) => sum + `${arg}\0`.length, 0)

describe('S7: what may not become an argument', () => {
  const bad = '--dangerously-skip-permissions'
  it.each<[string, Birth]>([
    ['new', { ...birth, sessionId: bad }],
    ['resumed', { ...birth, kind: 'resume', sessionId: bad }],
    ['forked', { ...birth, kind: 'fork', from: bad, sessionId: ID }],
    ['forked to', { ...birth, kind: 'fork', from: ID, sessionId: `${ID} ` }],
    ['cut at', { ...birth, kind: 'fork', from: ID, sessionId: OTHER, at: bad }],
  ])('S7: an id that is not a UUID is refused (%s)', (_, born) => {
    expect(() => argsFor({}, born)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  it.each([bad, 'x.jsonl', '/x.json', '/a\0.jsonl'])('S7: the transcript %j is refused', (transcript) => {
    const resume: Birth = { ...birth, kind: 'resume', sessionId: ID, transcript }
    expect(() => argsFor({}, resume)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  it('an argument that Linux would not take is refused by the name of its option', () => {
    expect(MAX_ARGUMENT_BYTES + '\0'.length).toBe(131_072)
    const room = MAX_ARGUMENT_BYTES - '--add-dir=/'.length
    expect(added(adding('x'.repeat(room)))).toHaveLength(1)
    expect(() => argsFor(adding('x'.repeat(room + 1)))).toThrow(/^addDirs is too long/)
    expect(() => argsFor(adding('ü'.repeat(room / 2 + 1)))).toThrow(/^addDirs is too long/)
    expect(() => argsFor({ outputSchema: { a: 'x'.repeat(MAX_ARGUMENT_BYTES) } })).toThrow(
      /^outputSchema is too long/,
    )
  })

  it('arguments that together are more than a process can be given are refused', () => {
    const addDirs = Array.from({ length: 6 }, () => `/${'x'.repeat(100_000)}`)
    expect(() => argsFor({ addDirs })).toThrow(/^The start options are too long together/)
    expect(added({ addDirs: addDirs.slice(1) })).toHaveLength(5)
    const four = { addDirs: addDirs.slice(2), name: 'x' }
    const room = 512 * 1024 - bytes(argsFor({ ...four, model: 'x' })) + 1
    const exactly = { ...four, model: 'x'.repeat(room) }
    expect(bytes(argsFor(exactly))).toBe(512 * 1024)
    expect(() => argsFor({ ...exactly, name: 'xx' })).toThrow(/^The start options are too long together/)
  })

  it("S7: a caller's text is only ever the right side of a flag, even where no schema has looked at it", () => {
    fc.assert(
      fc.property(callersOptions, (options) => {
        const args = childArgs({ ...StartOptions.parse({}), ...options }, birth)
        for (const arg of args) expect(arg).toMatch(KNOWN)
      }),
      { numRuns: 1000 },
    )
  })
})

const KNOWN =
  /^(-p|--(verbose|include-partial-messages|replay-user-messages|worktree)|--(input-format|output-format|session-id|permission-mode|setting-sources|permission-prompt-tool|settings|mcp-config|name|add-dir|model|fallback-model|effort|allowedTools|disallowedTools|tools|max-turns|max-budget-usd|json-schema|worktree)=[^]*)$/

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: codePoint }),
  fc.constantFrom(
    '--dangerously-skip-permissions',
    '--settings={}',
    '-p',
    ' --x',
    '\n--x',
    'x\n--y',
    '=',
    '--',
  ),
)
const texts = fc.array(text, { maxLength: 3 })
const callersOptions = fc.record(
  {
    name: text,
    addDirs: texts,
    model: text,
    fallbackModel: text,
    allowedTools: texts,
    disallowedTools: texts,
    tools: texts,
    systemPrompt: text,
    agents: fc.dictionary(text, fc.record({ description: text, prompt: text })),
    outputSchema: fc.dictionary(fc.string(), text),
    worktree: fc.oneof(fc.boolean(), text),
  },
  { requiredKeys: [] },
)
