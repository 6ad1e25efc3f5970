import { array, assert, constantFrom, integer, oneof, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asked,
  type Dialog,
  emptyDialog,
  UNREAD_MS,
  withEdited,
  withQuestion,
} from '../../../src/command-line/dialog/dialog.ts'
import { keyForQuestion } from '../../../src/command-line/dialog/dialog-keys.ts'
import { promptOf } from '../../../src/command-line/dialog/dialog-lines.ts'
import type { Key } from '../../../src/command-line/terminal/terminal-keys.ts'
import { EMPTY_LINE } from '../../../src/command-line/terminal/typed-line.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { askedQuestion, COLOUR_AND_SIZES } from '../../rig/tools/asked-question.ts'

const empty = emptyDialog({ mayEdit: true, repliesAtOnce: true })
const shown = (question: PendingQuestion) => withQuestion(empty, question, 0)
const letters = (text: string): Key[] => Array.from(text, (letter) => ({ text: letter }))

/** Presses these keys one after the other, long after the question was painted. */
function press(dialog: Dialog, ...keys: Key[]) {
  let reaction: ReturnType<typeof keyForQuestion> = { dialog }
  for (const key of keys) reaction = keyForQuestion(reaction.dialog, key, UNREAD_MS)
  return reaction
}
const keysOf = (dialog: Dialog) =>
  promptOf(dialog)
    .choices.map(({ key }) => key)
    .join('')

describe('a question about a tool', () => {
  const question = askedQuestion('1', { suggestedRules: ['Bash(npm *)'] })
  test.each<[string, Key[], object]>([
    ['a allows it once', letters('a'), { approve: true }],
    ['s and s again allow it for the session', letters('ss'), { approve: true, remember: 'session' }],
    ['o chooses where it is remembered', letters('sos'), { approve: true, remember: 'tree' }],
    ['o comes round again', letters('sooooos'), { approve: true, remember: 'session' }],
    ['h gives it an end', letters('soohs'), { approve: true, remember: 'folder', rememberSeconds: 3_600 }],
    ['h twice gives it none', letters('shhs'), { approve: true, remember: 'session' }],
    [
      'Escape drops what was chosen',
      [...letters('soh'), 'escape', ...letters('ss')],
      { approve: true, remember: 'session' },
    ],
    ['s and w allow what the shown rules cover', letters('sw'), { approve: true, remember: 'suggested' }],
    ['d and Enter deny it', [...letters('d'), 'enter'], { approve: false }],
    ['d and a text deny it with a reason', [...letters('dno!'), 'enter'], { approve: false, message: 'no!' }],
  ])('%s', (_, keys, answer) => {
    expect(press(shown(question), ...keys).action).toEqual({ type: 'answer', question, answer })
  })

  test.each<[string, Key[]]>([
    ['s alone, which only shows what it would do', letters('s')],
    ['s and then another key', letters('sa')],
    ['w without s', letters('w')],
    ['a text with Escape after it', [...letters('dno'), 'escape', 'escape', 'enter']],
    ['any other key', letters('xyz1')],
    ['Enter', ['enter']],
  ])('is not answered by %s', (_, keys) => {
    expect(press(shown(question), ...keys).action?.type).not.toBe('answer')
  })

  test('is shown whole by v, edited by e, and given more time by t where it can expire', () => {
    expect(press(shown(question), ...letters('v')).action).toEqual({ type: 'show', question })
    expect(press(shown(question), ...letters('e')).action).toEqual({ type: 'edit', question })
    expect(press(shown(question), ...letters('t')).action).toBeUndefined()
    const limited = { ...question, expiresAt: 9 }
    expect(press(shown(limited), ...letters('t')).action).toEqual({ type: 'extend', question: limited })
  })

  test('shows the very text of what is remembered before the second key', () => {
    const prompt = promptOf(press(shown(question), ...letters('s')).dialog)
    expect(prompt.head).toEqual([
      'Not asked about again in this session, until you revoke it:',
      '  text of session',
      'To revoke it: plexus rules revoke web.1',
    ])
    expect(prompt.choices.map(({ key, label }) => [key, label])).toEqual([
      ['s', 'confirm'],
      ['o', 'wider: in its whole tree of sessions'],
      ['h', 'for 1 hour'],
      ['w', 'in this session, and Bash(npm *)'],
      ['r', 'another rule (they are being read)'],
    ])
  })

  test('shows with each scope the text of the rule that would be stored, and for how long (asked for: 2)', () => {
    const prompts = ['so', 'soo', 'sooo', 'soooo', 'soooooh'].map((keys) =>
      promptOf(press(shown(question), ...letters(keys)).dialog),
    )
    expect(prompts.map(({ head: [, text] }) => text)).toEqual(
      ['tree', 'folder', 'always', 'turn', 'session'].map((scope) => `  text of ${scope}`),
    )
    expect(prompts.map(({ choices }) => choices.find(({ key }) => key === 'o')?.label)).toEqual([
      'wider: in all sessions in its folder, later ones too',
      'wider: in all sessions',
      'narrower: until this turn ends',
      'wider: in this session',
      'wider: in its whole tree of sessions',
    ])
    expect(prompts[3]?.head[0]).toBe('Not asked about again until this turn ends:')
    expect(prompts[4]?.head[0]).toBe('Not asked about again in this session, for 1 hour:')
  })

  test('says so where it cannot be remembered, and offers nothing', () => {
    const nowhere = askedQuestion('1', { remembers: undefined })
    expect(press(shown(nowhere), ...letters('ss')).action).toBeUndefined()
    expect(promptOf(press(shown(nowhere), ...letters('s')).dialog).head[0]).toContain('cannot be')
  })

  test('as edited runs only by another key, and Escape drops the edit', () => {
    const edited = withEdited(shown(question), { command: 'ls' }, 0)
    expect(press(edited, ...letters('a')).action).toMatchObject({
      answer: { approve: true, updatedInput: { command: 'ls' } },
    })
    expect(press(edited, 'escape').dialog).toMatchObject({ step: 'choose', edited: undefined })
    expect(press(edited, 'escape', ...letters('a')).action).toMatchObject({ answer: { approve: true } })
  })

  test('offers no editor where there is none', () => {
    const without = withQuestion(emptyDialog({ mayEdit: false, repliesAtOnce: true }), question, 0)
    expect([keysOf(without), keysOf(shown(question))]).toEqual(['asdv', 'asdev'])
    expect(press(without, ...letters('e')).action).toBeUndefined()
  })
})

describe('a plan', () => {
  const question = askedQuestion('2', { kind: 'plan', toolName: 'ExitPlanMode', input: { plan: 'x' } })
  test.each<[string, Key[], object]>([
    ['a approves it', letters('a'), { approve: true }],
    ['s s approves it and lets edits pass', letters('ss'), { approve: true, permissionMode: 'acceptEdits' }],
    ['d rejects it with feedback', [...letters('dno'), 'enter'], { approve: false, message: 'no' }],
  ])('%s', (_, keys, answer) => {
    expect(press(shown(question), ...keys).action).toEqual({ type: 'answer', question, answer })
  })
})

describe('questions with options', () => {
  const question = askedQuestion('3', { kind: 'question', input: COLOUR_AND_SIZES })
  const replies = (...lines: string[]) =>
    press(shown(question), ...lines.flatMap((line): Key[] => [...letters(line), 'enter'])).action

  test('are answered one after the other and sent together', () => {
    expect(replies('2')).toBeUndefined()
    expect(replies('2', '1 3')).toMatchObject({ answer: { answers: ['blue', 'small, huge'] } })
    expect(replies('green', '1,1,2')).toMatchObject({ answer: { answers: ['green', 'small, large'] } })
    expect(replies('9 lives', 'none of 1 and 2')).toMatchObject({
      answer: { answers: ['9 lives', 'none of 1 and 2'] },
    })
    expect(replies('', '', '1', '')).toBeUndefined()
  })

  test('are not answered by a number that no option has', () => {
    for (const wrong of ['9', '0', '3', '01']) {
      const { dialog, action } = press(shown(question), ...letters(wrong), 'enter')
      expect(action).toBeUndefined()
      expect(dialog).toMatchObject({ replies: [], draft: EMPTY_LINE })
      expect(promptOf(dialog).head[0]).toBe(
        `There are 2 options, so ${wrong} is none of them; type a number from 1 to 2, or a text.`,
      )
    }
    expect(replies('2', '1 4')).toBeUndefined()
    expect(replies('2', '1 4', '1 2')).toMatchObject({ answer: { answers: ['blue', 'small, large'] } })
  })

  test('are shown one at a time, and Escape goes back to the one before, then to the menu', () => {
    const second = press(shown(question), ...letters('1'), 'enter').dialog
    expect(promptOf(second).head[0]).toBe('2 of 2: Which sizes?')
    const first = press(second, 'escape').dialog
    expect(promptOf(first).head[0]).toBe('1 of 2: Which colour?')
    expect(keysOf(press(first, 'escape').dialog)).toBe('rdcv')
    expect(press(first, 'escape', ...letters('d'), 'enter').action).toMatchObject({
      answer: { approve: false },
    })
  })

  test('wait for a key first where keys also move in a list', () => {
    const listed = withQuestion(emptyDialog({ mayEdit: false, repliesAtOnce: false }), question, 0)
    expect(keysOf(listed)).toBe('rdcv')
    expect(press(listed, ...letters('r1'), 'enter', ...letters('2'), 'enter').action).toMatchObject({
      answer: { answers: ['red', 'large'] },
    })
  })
})

test('a form says how it is filled in, and can be declined', () => {
  const question = askedQuestion('4', { kind: 'form', toolName: 'files', input: { message: 'Where?' } })
  expect(promptOf(shown(question)).head.join('\n')).toContain('--approval-id web.4 --answers accept')
  expect(press(shown(question), ...letters('d')).action).toMatchObject({ answer: { approve: false } })
})

test.each(['question', 'form'] as const)('a %s is dismissed only by a second key', (kind) => {
  const question = askedQuestion('5', { kind, toolName: 'files', input: { message: 'Where?' } })
  const dialog = withQuestion(emptyDialog({ mayEdit: true, repliesAtOnce: false }), question, 0)
  const first = press(dialog, ...letters('c'))
  expect(first.action).toBeUndefined()
  expect(promptOf(first.dialog).head).toEqual([expect.stringContaining('neither a yes nor a no')])
  expect(press(first.dialog, 'escape').dialog.step).toBe('choose')
  expect(press(first.dialog, ...letters('c')).action).toMatchObject({ answer: { dismiss: true } })
})

test('what was typed for a question does not reach another, nor the same question with another input', () => {
  const first = askedQuestion('1')
  const denying = press(shown(first), ...letters('dno')).dialog
  for (const other of [askedQuestion('2'), { ...first, inputSha256: 'cd' }]) {
    const next = withQuestion(denying, other, 1_000)
    expect(next).toMatchObject({ question: other, step: 'choose', draft: EMPTY_LINE, readableAt: 1_000 })
    expect(keyForQuestion(next, 'enter', 1_000).action).toBeUndefined()
    expect(keyForQuestion(next, { text: 'a' }, 1_000 + UNREAD_MS - 1).action).toBeUndefined()
    expect(keyForQuestion(next, { text: 'a' }, 1_000 + UNREAD_MS).action).toMatchObject({ question: other })
  }
})

test('a question that only has more time is the same question', () => {
  const typing = press(shown(askedQuestion('1')), ...letters('dno')).dialog
  const longer = askedQuestion('1', { expiresAt: 99 })
  expect(withQuestion(typing, longer, 5)).toEqual({ ...typing, question: longer })
})

test('keys without a pause count as typed before the question was read', () => {
  const dialog = shown(askedQuestion('1'))
  const [early, later] = [UNREAD_MS - 1, 2 * UNREAD_MS - 2]
  const once = keyForQuestion(dialog, { text: 'x' }, early).dialog
  const twice = keyForQuestion(once, { text: 'a' }, later)
  expect(twice.action).toBeUndefined()
  expect(keyForQuestion(twice.dialog, { text: 'a' }, later + UNREAD_MS).action).toBeDefined()
})

test('a refused answer leaves the question open, and it must be read again', () => {
  const settling = press(shown(askedQuestion('1')), ...letters('a')).dialog
  expect(keyForQuestion(settling, { text: 'a' }, 1e9).action).toBeUndefined()
  const again = asked(settling, 5_000)
  expect(keyForQuestion(again, { text: 'a' }, 5_000).action).toBeUndefined()
  expect(keyForQuestion(again, { text: 'a' }, 5_000 + UNREAD_MS).action).toBeDefined()
})

test('no key answers a question that was not on the screen long enough to be read, nor one twice', () => {
  const step = record({
    key: oneof(
      constantFrom<Key>('enter', 'escape', 'backspace', 'up', 'page-down'),
      constantFrom('a', 's', 'w', 'd', 'e', 'v', 't', 'r', '1', 'x').map((text): Key => ({ text })),
    ),
    after: integer({ min: 0, max: 2 * UNREAD_MS }),
    // What happens after the key: nothing, the question is settled, or its input changes.
    next: constantFrom('nothing', 'nothing', 'settled', 'changed'),
  })
  const kinds = [
    {},
    { kind: 'plan', input: { plan: 'x' } },
    { kind: 'question', input: COLOUR_AND_SIZES },
  ] as const
  assert(
    property(array(step, { maxLength: 80 }), (steps) => {
      let [number, version, now, painted] = [0, 0, 0, 0]
      const current = () =>
        askedQuestion(String(number), { ...kinds[number % 3], inputSha256: `hash ${version}` })
      const answers: { id: string; hash: string; isShown: boolean; readFor: number }[] = []
      let dialog = withQuestion(empty, current(), now)
      for (const { key, after, next } of steps) {
        now += after
        const reaction = keyForQuestion(dialog, key, now)
        const { action } = reaction
        dialog = reaction.dialog
        if (action?.type === 'answer') {
          const { id, inputSha256: hash } = action.question
          const isShown = id === String(number) && hash === `hash ${version}`
          answers.push({ id, hash, isShown, readFor: now - painted })
        }
        if (next === 'nothing') continue
        if (next === 'settled') number += 1
        version += 1
        painted = now
        dialog = withQuestion(dialog, current(), now)
      }
      expect(answers.filter(({ isShown, readFor }) => !isShown || readFor < UNREAD_MS)).toEqual([])
      expect(new Set(answers.map(({ id, hash }) => id + hash)).size).toBe(answers.length)
    }),
  )
})
