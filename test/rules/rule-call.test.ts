import { describe, expect, test } from 'vitest'
import { callFrom, callTyped } from '../../src/rules/call-text.ts'
import { pathField, subjectOf } from '../../src/rules/rule-call.ts'
import { rulesOf, verdictOn } from './rules-rig.ts'

const cwd = '/code/web'

describe('what a call is about', () => {
  test.each([
    ['Bash', { command: 'make' }, { kind: 'command', line: 'make', plain: true }],
    [
      'Bash',
      { command: 'make', description: 'd', timeout: 1, run_in_background: true },
      { kind: 'command', line: 'make', plain: true },
    ],
    [
      'Bash',
      { command: 'make', dangerouslyDisableSandbox: true },
      { kind: 'command', line: 'make', plain: false },
    ],
    ['Bash', { command: 7 }, { kind: 'command', line: undefined, plain: false }],
    ['Bash', null, { kind: 'command', line: undefined, plain: false }],
    ['Bash', 'make', { kind: 'command', line: undefined, plain: false }],
    ['PowerShell', { command: 'make' }, { kind: 'command', line: 'make', plain: false }],
    ['Read', { file_path: '/a' }, { kind: 'file', path: '/a' }],
    ['Read', { file_path: '' }, { kind: 'file', path: undefined }],
    ['Read', { file_path: 7 }, { kind: 'file', path: undefined }],
    ['Read', {}, { kind: 'file', path: undefined }],
    ['NotebookEdit', { notebook_path: '/a' }, { kind: 'file', path: '/a' }],
    ['Grep', { path: '/a' }, { kind: 'file', path: '/a' }],
    ['Grep', {}, { kind: 'file', path: cwd }],
    ['WebFetch', { url: 'https://A.example/x' }, { kind: 'host', host: 'a.example' }],
    ['WebFetch', { url: 'nothing' }, { kind: 'host', host: undefined }],
    ['WebFetch', { url: ['https://a.example'] }, { kind: 'host', host: undefined }],
    ['mcp__a__b', { command: 'make' }, { kind: 'other' }],
  ])('%s with %j', (toolName, input, subject) => {
    expect(subjectOf({ toolName, input, cwd })).toEqual(subject)
  })

  test('the field that names a file', () => {
    expect(['Read', 'NotebookEdit', 'Glob', 'Other'].map(pathField)).toEqual([
      'file_path',
      'notebook_path',
      'path',
      'file_path',
    ])
  })
})

describe('S23: a rule for a command allows the plain call of Bash', () => {
  const rules = rulesOf([{ id: 'a', effect: 'allow', command: 'make' }])
  const effect = (toolName: string, input: object) => verdictOn({ toolName, input, cwd }, rules).effect

  test('and neither one that leaves the sandbox, nor that of another tool', () => {
    expect(effect('Bash', { command: 'make' })).toBe('allow')
    expect(effect('Bash', { command: 'make', dangerouslyDisableSandbox: true })).toBe('none')
    expect(effect('Bash', { command: 'make', fieldOfTomorrow: 1 })).toBe('none')
    expect(effect('PowerShell', { command: 'make' })).toBe('none')
    expect(effect('Monitor', { command: 'make' })).toBe('none')
  })

  test('but one that refuses counts for all of them', () => {
    const denies = rulesOf([{ id: 'd', effect: 'deny', command: 'make', because: 'No.' }])
    const denied = (toolName: string, input: object) => verdictOn({ toolName, input, cwd }, denies).effect
    expect(denied('Bash', { command: 'make', dangerouslyDisableSandbox: true })).toBe('deny')
    expect(denied('PowerShell', { command: 'make' })).toBe('deny')
    expect(denied('Bash', { command: 7 })).toBe('ask')
  })
})

describe('a call as a person writes it', () => {
  test.each([
    ['Bash(git push)', 'Bash', { command: 'git push' }],
    [' Bash(echo (a)\nb) ', 'Bash', { command: 'echo (a)\nb' }],
    ['Read(src/a.ts)', 'Read', { file_path: 'src/a.ts' }],
    ['Grep(src)', 'Grep', { path: 'src' }],
    ['NotebookEdit(a)', 'NotebookEdit', { notebook_path: 'a' }],
    ['WebFetch(a.example)', 'WebFetch', { url: 'https://a.example' }],
    ['WebFetch(http://a.example)', 'WebFetch', { url: 'http://a.example' }],
    ['WebSearch', 'WebSearch', {}],
    ['mcp__a__b', 'mcp__a__b', {}],
    ['mcp__a__b(x)', 'mcp__a__b', { command: 'x' }],
  ])('%j', (text, toolName, input) => {
    expect(callTyped(text, cwd)).toEqual({ toolName, input, cwd })
    expect(callFrom(text, cwd)).toEqual({ toolName, input, cwd })
  })

  test.each([
    '',
    'Bash',
    'Bash()',
    'Bash( )',
    'git push',
    'read(x)',
    'Read(x',
    'Read(x) y',
    'x Read(y)',
    'mcp__',
    'mcp__a b',
    'Rea2d',
  ])('%j is none', (text) => {
    expect(() => callTyped(text, cwd)).toThrow(`"${text.trim()}" is no call`)
  })

  test('of a long text 80 characters are quoted', () => {
    expect(() => callTyped('x'.repeat(200), cwd)).toThrow(`"${'x'.repeat(80)}" is no call`)
  })
})
