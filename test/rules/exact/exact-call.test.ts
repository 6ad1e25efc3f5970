import { describe, expect, test } from 'vitest'
import { exactCallOf, exactCallText, isExactly } from '../../../src/rules/exact/exact-call.ts'

const cwd = '/code/web'
const call = (toolName: string, input: unknown, folder: string | undefined = cwd) => ({
  toolName,
  input,
  cwd: folder,
})
const edit = { file_path: '/code/web/a.ts', old_string: 'a', new_string: 'b' }

/** What is remembered of a call: its subject, and its folder where that matters. */
describe('what is remembered', () => {
  test.each([
    ['a command', call('Bash', { command: 'make' }), 'make', cwd],
    [
      'a command with a description',
      call('Bash', { command: 'make', description: 'x', timeout: 5 }),
      'make',
      cwd,
    ],
    [
      'a command with any other field, whole',
      call('Bash', { command: 'make', dangerouslyDisableSandbox: true }),
      '{"command":"make","dangerouslyDisableSandbox":true}',
      cwd,
    ],
    ['a command that is no text, whole', call('Bash', { command: 1 }), '{"command":1}', cwd],
    ['a file that is read', call('Read', { file_path: '/etc/hosts', limit: 5 }), '/etc/hosts', undefined],
    ['a file by a relative path', call('Read', { file_path: 'a.ts' }), 'a.ts', cwd],
    ['a read without a file, whole', call('Read', { limit: 5 }), '{"limit":5}', cwd],
    [
      'an address',
      call('WebFetch', { url: 'https://a.example', prompt: 'x' }),
      'https://a.example',
      undefined,
    ],
    ['a fetch without an address, whole', call('WebFetch', { prompt: 'x' }), '{"prompt":"x"}', undefined],
    ['a search', call('WebSearch', { query: 'x' }), '{"query":"x"}', undefined],
    ['a tool of MCP', call('mcp__tracker__close', { id: 1 }), '{"id":1}', undefined],
    ['a tool whose name only ends so', call('close_mcp__', { id: 1 }), '{"id":1}', cwd],
    ['an edit, whole', call('Edit', edit), JSON.stringify(edit), undefined],
    [
      'an edit by a relative path, whole',
      call('Edit', { ...edit, file_path: 'a.ts' }),
      JSON.stringify({ ...edit, file_path: 'a.ts' }),
      cwd,
    ],
    ['another tool that names a full path', call('Glob', { file_path: '/etc' }), '{"file_path":"/etc"}', cwd],
    ['a call without input', call('Other', undefined), '', cwd],
  ])('%s', (_, asked, subject, folder) => {
    const { toolName } = asked
    expect(exactCallOf(asked)).toStrictEqual({ toolName, subject, ...(folder ? { folder } : {}) })
  })

  test('nothing, where the folder matters and is not known', () => {
    expect(exactCallOf({ toolName: 'Bash', input: { command: 'make' } })).toBeUndefined()
    expect(exactCallOf({ toolName: 'mcp__a__b', input: {} })).toBeDefined()
  })
})

describe('what it is compared with', () => {
  test.each([
    ['Bash', 'command', { command: 'make', dangerouslyDisableSandbox: true }],
    ['Bash', 'command', { command: 'make', run_in_background: true }],
    ['Read', 'file_path', { limit: 5 }],
    ['WebFetch', 'url', { prompt: 'x' }],
  ])('is no input of %s that its %s looks like', (toolName, field, input) => {
    const looksSo = call(toolName, { [field]: JSON.stringify(input) })
    const exact = exactCallOf(looksSo)
    expect(exact && isExactly(exact, looksSo)).toBe(true)
    expect(exact && isExactly(exact, call(toolName, input))).toBe(false)
  })

  const make = { toolName: 'Bash', subject: 'make', folder: cwd }

  test('is the same tool, the same subject and the same folder', () => {
    expect(isExactly(make, call('Bash', { command: 'make' }))).toBe(true)
    expect(isExactly(make, call('Bash', { command: 'make' }, '/work'))).toBe(false)
    expect(isExactly(make, { toolName: 'Bash', input: { command: 'make' } })).toBe(false)
    expect(isExactly(make, call('Bash', { command: 'make x' }))).toBe(false)
    expect(isExactly(make, call('PowerShell', { command: 'make' }))).toBe(false)
    expect(isExactly({ ...make, folder: undefined }, call('Bash', { command: 'make' }, '/work'))).toBe(true)
  })

  test('is not another tool with the same subject', () => {
    const read = { toolName: 'Read', subject: '/etc/hosts' }
    expect(isExactly(read, call('Read', { file_path: '/etc/hosts' }))).toBe(true)
    expect(isExactly({ toolName: 'WebFetch', subject: '{}' }, call('WebSearch', {}))).toBe(false)
  })

  test('is one change of a file, and every change where an older version remembered only its path', () => {
    const other = call('Edit', { ...edit, new_string: 'c' })
    const one = { toolName: 'Edit', subject: JSON.stringify(edit) }
    const every = { toolName: 'Edit', subject: edit.file_path }
    expect([isExactly(one, call('Edit', edit)), isExactly(one, other)]).toEqual([true, false])
    expect([isExactly(every, call('Edit', edit)), isExactly(every, other)]).toEqual([true, true])
    expect(isExactly(every, call('Edit', { ...edit, file_path: '/code/web/b.ts' }))).toBe(false)
    expect(isExactly(every, call('Edit', undefined))).toBe(false)
    expect(isExactly({ toolName: 'Glob', subject: '/etc' }, call('Glob', { file_path: '/etc' }))).toBe(false)
  })
})

const text = (toolName: string, subject: string, folder?: string) =>
  exactCallText({ toolName, subject, folder })

test('its text says what it allows, with as much as a person can read', () => {
  expect(text('Bash', 'make "x"')).toBe('exactly Bash "make \\"x\\""')
  expect(text('Bash', 'make', cwd)).toBe('exactly Bash "make", in exactly folder "/code/web"')
  expect(text('Edit', JSON.stringify(edit))).toBe('exactly this Edit of "/code/web/a.ts"')
  expect(text('Edit', JSON.stringify(edit), cwd)).toBe(
    'exactly this Edit of "/code/web/a.ts", in exactly folder "/code/web"',
  )
  expect(text('Write', '/code/web/a.ts')).toBe('every Write of "/code/web/a.ts"')
  expect(text('Write', '{"content":"x"}')).toBe('exactly Write "{\\"content\\":\\"x\\"}"')
  expect(text('Bash', 'a'.repeat(2_000))).toBe(`exactly Bash "${'a'.repeat(2_000)}"`)
  expect(text('Bash', 'a'.repeat(2_001))).toBe(`exactly Bash "${'a'.repeat(2_000)} (of 2001 characters)"`)
})
