import { expect, test } from 'vitest'
import {
  editableText,
  inputChange,
  inputFromJson,
  inputFromText,
} from '../../../src/command-line/views/edited-input.ts'

const bash = { toolName: 'Bash', input: { command: 'touch a', description: 'make a' } }
const write = { toolName: 'Write', input: { file_path: '/a', content: 'one\ntwo' } }

test('a command is edited as its text, anything else as JSON', () => {
  expect(editableText(bash)).toEqual({ text: 'touch a\n', file: 'command.sh' })
  expect(editableText({ ...bash, toolName: 'Other' }).file).toBe('input.json')
  expect(JSON.parse(editableText(write).text)).toEqual(write.input)
})

test('the newline that an editor adds is not part of the command', () => {
  expect(inputFromText(bash, 'touch a\n')).toEqual({ kind: 'unchanged' })
  expect(inputFromText(bash, 'touch a')).toEqual({ kind: 'unchanged' })
  expect(inputFromText(bash, 'touch b\n')).toEqual({
    kind: 'input',
    input: { command: 'touch b', description: 'make a' },
  })
  const ended = { toolName: 'Bash', input: { command: 'cat <<X\nX\n' } }
  expect(inputFromText(ended, editableText(ended).text)).toEqual({ kind: 'unchanged' })
  expect(inputFromText(ended, 'cat <<Y\nY\n')).toEqual({ kind: 'input', input: { command: 'cat <<Y\nY\n' } })
})

test('what is no command, no JSON or no object is refused with the reason', () => {
  expect(inputFromText(bash, ' \n')).toEqual({ kind: 'invalid', problem: 'No command is left.' })
  expect(inputFromText(write, '{"a":')).toMatchObject({
    kind: 'invalid',
    problem: expect.stringMatching(/^It is not JSON: .+\.$/) as string,
  })
  expect(inputFromText(write, '{\u001B[31m')).toMatchObject({
    problem: expect.not.stringContaining('\u001B') as string,
  })
  for (const text of ['[]', '1', 'null'])
    expect(inputFromText(write, text)).toEqual({
      kind: 'invalid',
      problem: 'The input must be a JSON object.',
    })
})

test('JSON for a script replaces the whole input of a command too', () => {
  expect(inputFromJson(bash, '{"command":"ls"}')).toEqual({ kind: 'input', input: { command: 'ls' } })
  expect(inputFromJson(bash, '{"description":"make a","command":"touch a"}')).toEqual({ kind: 'unchanged' })
})

test('a change is shown by its lines, and hidden characters in it are visible', () => {
  const long = { toolName: 'Bash', input: { command: '1\n2\n3\n4\n5\n6' } }
  expect(inputChange(long, { command: '1\n2\n3\nfour\n5\n6' })).toEqual([
    '  2',
    '  3',
    '- 4',
    '+ four',
    '  5',
    '  6',
  ])
  expect(inputChange(bash, { ...bash.input, command: 'touch \u202Eb' })).toEqual([
    '- touch a',
    String.raw`+ touch \u{202e}b`,
  ])
  expect(inputChange(bash, bash.input)).toEqual([])
  expect(inputChange(bash, { command: 'touch a' })).toContain('-   "description": "make a"')
})

test('the change of a file is shown as the diff that is approved, and the one that was asked about', () => {
  expect(inputChange(write, { ...write.input, content: 'one\nthree\n' })).toEqual([
    '/a',
    '+ one',
    '+ three',
    'in place of:',
    '/a',
    '+ one',
    '+ two',
    '+ (no newline at the end of the file)',
  ])
  const edit = {
    toolName: 'Edit',
    input: { file_path: '/a', old_string: 'one', new_string: 'two', replace_all: false },
  }
  expect(inputChange(edit, { ...edit.input, new_string: '\u202Ethree' })).toEqual([
    '/a',
    '- one',
    String.raw`+ \u{202e}three`,
    'in place of:',
    '/a',
    '- one',
    '+ two',
  ])
  expect(inputChange(edit, edit.input)).toEqual([])
  // What a diff does not show is not hidden.
  expect(inputChange(edit, { ...edit.input, replace_all: true })).toContain('+   "replace_all": true')
  expect(inputChange(edit, { file_path: '/a' })).toContain('-   "new_string": "two",')
})

test('a plan is shown by its lines', () => {
  const plan = { kind: 'plan', toolName: 'ExitPlanMode', input: { plan: '# It\n1. one' } }
  expect(inputChange(plan, { plan: '# It\n1. two' })).toEqual(['  # It', '- 1. one', '+ 1. two'])
})
