import { describe, expect, test } from 'vitest'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { questionId, questionLine } from '../../../src/command-line/views/question-views.ts'
import { exactLines } from '../../../src/command-line/views/edited-input.ts'
import { editedLines, paintedCard, questionCard } from '../../../src/command-line/views/question-cards.ts'
import { questionsOf } from '../../../src/approvals/question.ts'
import { anApproval } from '../../contracts/rows.ts'
import { asApprovalId } from '../../rig/tools/ids.ts'

function asked(fields: Partial<PendingQuestion>): PendingQuestion {
  const approval = anApproval({ toolName: 'Bash', ...fields })
  return { ...approval, questions: questionsOf(approval), suggestedRules: [], shortId: 'web.3', ...fields }
}
const OPTIONS = {
  questions: [{ question: 'Which?', options: [{ label: 'red', description: 'a rose' }, { label: 'blue' }] }],
}

describe('a question in one line', () => {
  test.each<[string, Partial<PendingQuestion>]>([
    ['wants to run: touch x', { input: { command: 'touch x' } }],
    ['wants to edit: /a/b.ts', { toolName: 'Edit', input: { file_path: '/a/b.ts' } }],
    ['wants to write: /a/b.ts', { toolName: 'Write', input: { file_path: '/a/b.ts' } }],
    ['wants to use Odd', { toolName: 'Odd', input: { n: 1 } }],
    ['has a plan', { kind: 'plan', toolName: 'ExitPlanMode', input: { plan: '# Plan' } }],
    ['asks: Which?', { kind: 'question', toolName: 'AskUserQuestion', input: OPTIONS }],
    ['files asks: Where?', { kind: 'form', toolName: 'files', input: { message: 'Where?' } }],
  ])('%s', (line, fields) => {
    expect(questionLine(asked(fields))).toBe(line)
  })

  test('shows what a terminal would hide or obey', () => {
    expect(questionLine(asked({ input: { command: 'ls\n\u001B[2Jrm x\u202E' } }))).toBe(
      'wants to run: ls ⏎ \\u{1b}[2Jrm x\\u{202e}',
    )
  })
})

describe('exactly what would happen', () => {
  test('is the command in all its lines', () => {
    expect(exactLines(asked({ input: { command: 'a\nb' } }))).toEqual(['a', 'b'])
  })
  test('is also what else a command says', () => {
    expect(
      exactLines(asked({ input: { command: 'a', run_in_background: true, description: 'b\u001B' } })),
    ).toEqual(['a', '(run_in_background: true)', '(description: b\\u{1b})'])
  })
  test('is the change of a file', () => {
    const input = { file_path: '/f', old_string: 'one\ntwo', new_string: 'three' }
    expect(exactLines(asked({ toolName: 'Edit', input }))).toEqual(['/f', '- one', '- two', '+ three'])
    expect(exactLines(asked({ toolName: 'Write', input: { file_path: '/f', content: 'x' } }))).toEqual([
      '/f',
      '+ x',
      '+ (no newline at the end of the file)',
    ])
  })
  test.each<[string, object, string[]]>([
    ['Write', { content: 'x\n' }, ['+ x']],
    ['Write', { content: 'x\n\n' }, ['+ x', '+ ']],
    ['Write', { content: '' }, []],
    ['Edit', { old_string: 'one\n', new_string: 'two\n' }, ['- one', '+ two']],
    ['Edit', { old_string: 'one', new_string: 'one\n' }, ['- one', '+ one', '+ ']],
    ['Edit', { old_string: '\n', new_string: '\n\n' }, ['- ', '+ ', '+ ']],
  ])('the newline at the end of a text is no line of its own: %s %j', (toolName, fields, lines) => {
    expect(exactLines(asked({ toolName, input: { file_path: '/f', ...fields } }))).toEqual(['/f', ...lines])
  })
  test('is the plan, or the options by number', () => {
    expect(exactLines(asked({ kind: 'plan', input: { plan: 'one\ntwo' } }))).toEqual(['one', 'two'])
    expect(exactLines(asked({ kind: 'question', input: OPTIONS }))).toEqual([
      'Which?',
      '  1. red: a rose',
      '  2. blue',
    ])
  })
  test('is the whole input of any other tool', () => {
    expect(exactLines(asked({ toolName: 'Odd', input: { n: 1 } }))).toEqual(['{', '  "n": 1', '}'])
  })
})

test('a card has the id, the sentence, the text, and says what is left out', () => {
  const question = asked({ input: { command: 'a\nb\nc' }, openedAt: 0, expiresAt: 90_000, cwd: '/home/me/p' })
  expect(questionCard(question, { now: 30_000, homeFolder: '/home/me', most: 2 })).toEqual([
    'web.3  wants to run: a ⏎ b ⏎ c',
    '    a',
    '    b',
    '    … 1 more line: plexus show web.3',
    '    30 s ago, in ~/p, expires in 1 min',
  ])
  expect(questionId({ id: asApprovalId('x') })).toBe('x')
})

test('a name that a shell would run, or that reverses a line, is not offered for typing', () => {
  for (const name of ['web; rm -rf x', 'web\u202E', '$(x)', 'a b'])
    expect(questionId({ id: asApprovalId('id'), shortId: `${name}.1` })).toBe('id')
  expect(questionId({ id: asApprovalId('id'), shortId: '日本-2.1' })).toBe('日本-2.1')
})

test('on a screen, no row of a card is wider than it, and the rows that do not fit are counted', () => {
  const command = `${'x'.repeat(100)}\nshort\nlast`
  const card = questionCard(asked({ input: { command }, openedAt: 0 }), {
    now: 0,
    homeFolder: undefined,
    most: 3,
    columns: 40,
    more: 'v',
  })
  expect(card).toEqual([
    'web.3  wants to run: xxxxxxxxxxxxxxxxxx…',
    `    ${'x'.repeat(36)}`,
    `    … ${'x'.repeat(34)}`,
    `    … ${'x'.repeat(30)}`,
    '    … 2 more lines: v',
    '    0 s ago',
  ])
})

const style = (name: string, text: string) => `<${name}>${text}`

test('a change has colours for what is removed and added, and nothing else has', () => {
  expect(paintedCard(['web.1  x', '    - a', '    + b', '      c', '+ d'], style)).toEqual([
    'web.1  x',
    '<bad>    - a',
    '<good>    + b',
    '      c',
    '+ d',
  ])
  expect(paintedCard(['    - a'], undefined)).toEqual(['    - a'])
})

test('an edit is shown as the difference to what was asked', () => {
  expect(editedLines(asked({ input: { command: 'a\nb' } }), { command: 'a\nc' })).toEqual([
    'web.3  as you edited it:',
    '      a',
    '    - b',
    '    + c',
  ])
})
