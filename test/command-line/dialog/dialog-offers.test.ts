import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { type Dialog, emptyDialog, UNREAD_MS, withQuestion } from '../../../src/command-line/dialog/dialog.ts'
import { keyForQuestion } from '../../../src/command-line/dialog/dialog-keys.ts'
import { promptOf } from '../../../src/command-line/dialog/dialog-lines.ts'
import { withOffers } from '../../../src/command-line/dialog/dialog-offers.ts'
import { withRule } from '../../../src/command-line/dialog/dialog-scope.ts'
import type { Key } from '../../../src/command-line/terminal/terminal-keys.ts'
import { askedQuestion } from '../../rig/tools/asked-question.ts'
import { offersFor } from '../../rig/tools/rule-offers.ts'

const question = askedQuestion('1', { suggestedRules: ['Bash(npm *)'] })
const shown = withQuestion(emptyDialog({ mayEdit: true, repliesAtOnce: true }), question, 0)

/** Presses letters; `O` is the moment at which the rules have been read, `^` is Escape. */
function press(letters: string, dialog: Dialog = shown) {
  let reaction: ReturnType<typeof keyForQuestion> = { dialog }
  for (const letter of letters)
    reaction =
      letter === 'O'
        ? { dialog: withOffers(reaction.dialog, question, offersFor('x')) }
        : keyForQuestion(reaction.dialog, letter === '^' ? 'escape' : { text: letter }, UNREAD_MS)
  return reaction
}

const choiceKeys = (letters: string) => promptOf(press(letters).dialog).choices.map(({ key }) => key)

test('the rules are read when that part is opened, and once', () => {
  expect(press('s').action).toEqual({ type: 'read offers', question })
  expect(press('s^s').action).toBeUndefined()
  expect(press('sO^s').action).toBeUndefined()
  const failed = withOffers(press('s').dialog, question, 'failed')
  expect(promptOf(failed).head).toContain('Which other rules there are could not be read.')
  expect(press('^s', failed).action).toEqual({ type: 'read offers', question })
  const nowhere = withQuestion(shown, askedQuestion('2', { remembers: undefined }), 0)
  expect(keyForQuestion(nowhere, { text: 's' }, UNREAD_MS).action).toBeUndefined()
})

test.each<[string, object]>([
  ['sOs', { remember: 'session' }],
  ['sOrs', { remember: 'session', rememberRule: 'narrow-x' }],
  ['sOroos', { remember: 'session', rememberRule: 'narrow-x' }],
  ['sOrohs', { remember: 'turn', rememberRule: 'narrow-x', rememberSeconds: 3_600 }],
  ['soooOrs', { remember: 'session', rememberRule: 'narrow-x' }],
  ['sOrrsy', { remember: 'session', rememberRule: 'wide-x-yes' }],
  ['sOrrs^sy', { remember: 'session', rememberRule: 'wide-x-yes' }],
  ['sOrrsrs', { remember: 'session' }],
  ['sOrrrs', { remember: 'session' }],
  ['srOs', { remember: 'session' }],
  ['sOr^ss', { remember: 'session' }],
  ['sOrw', { remember: 'suggested' }],
])('%s remembers what it says', (keys, remembered) => {
  expect(press(keys).action).toEqual({ type: 'answer', question, answer: { approve: true, ...remembered } })
})

test.each(['sOrrs', 'sOrrss', 'sOrrsa', 'sOrry', 'sOy', 'sOrr^y', 'sOrrsos'])(
  'a rule that would have allowed what was denied is not remembered by %s',
  (keys) => {
    expect(press(keys).action?.type).not.toBe('answer')
  },
)

test('the text is the one that is stored, and what it would have allowed comes with it', () => {
  expect(promptOf(press('sOr').dialog).head).toEqual([
    'Not asked about again in this session, until you revoke it:',
    '  narrow x in session',
    'To revoke it: plexus rules revoke web.1',
    'It would have allowed none of the 37 questions since 2026-11-01.',
  ])
  expect(promptOf(press('sOrrs').dialog).head.slice(1)).toEqual([
    '  wide x in session',
    'To revoke it: plexus rules revoke web.1',
    String.raw`It would also have allowed 4 of the 37 questions since 2026-11-01, and 1 of these was denied: web.3 Bash(rm\u{1b}[2J).`,
    'It would have allowed what was denied. Remember it all the same?',
  ])
})

test('no choice gets another number when the rules have been read', () => {
  expect(choiceKeys('s')).toEqual(choiceKeys('sO'))
})

test('a rule is chosen only where it is shown, and what was read for another question changes nothing', () => {
  const { dialog } = press('sO')
  const other = withQuestion(dialog, askedQuestion('2'), 0)
  expect(other.offered).toBeUndefined()
  expect(withRule(other, 'narrow-x')).toEqual(other)
  expect(withOffers(other, question, offersFor('x'))).toEqual(other)
  const changed = withQuestion(dialog, { ...question, inputSha256: 'cd' }, 0)
  expect(withOffers(changed, question, offersFor('x'))).toEqual(changed)
})

test('whatever is pressed and read in whatever order: only an offer of the question on the screen is remembered, its stored text was shown, and a second yes was given where it is needed', () => {
  const step = record({
    key: constantFrom<Key>('escape', ...Array.from('sssssrrrrryyyohwd', (text) => ({ text }))),
    after: integer({ min: (UNREAD_MS * 3) / 4, max: 3 * UNREAD_MS }),
    next: constantFrom(
      'nothing',
      'nothing',
      'nothing',
      'read',
      'read',
      'read late',
      'failed',
      'settled',
      'changed',
    ),
  })
  let count = 0
  assert(
    property(array(step, { maxLength: 60, size: 'max' }), (steps) => {
      let [number, version, now] = [0, 0, 0]
      const remembered: { rule: string; name: string; isTextShown: boolean; by: string }[] = []
      const current = () => askedQuestion(String(number), { inputSha256: `hash${version}` })
      const name = () => `${number}-${version}`
      let dialog = withQuestion(shown, current(), now)
      let before = { question: current(), name: name() }
      for (const { key, after, next } of steps) {
        now += after
        const { head } = promptOf(dialog)
        const { step: stepBefore } = dialog
        const reaction = keyForQuestion(dialog, key, now)
        dialog = reaction.dialog
        const answer = reaction.action?.type === 'answer' ? reaction.action.answer : {}
        if (answer.rememberRule !== undefined)
          remembered.push({
            rule: answer.rememberRule,
            name: name(),
            isTextShown: head.includes(
              `  ${answer.rememberRule.split('-')[0]} ${name()} in ${answer.remember}`,
            ),
            by: `${stepBefore} ${typeof key === 'object' ? key.text : key}`,
          })
        if (next === 'read') dialog = withOffers(dialog, current(), offersFor(name()))
        if (next === 'read late') dialog = withOffers(dialog, before.question, offersFor(before.name))
        if (next === 'failed') dialog = withOffers(dialog, current(), 'failed')
        if (next !== 'settled' && next !== 'changed') continue
        before = { question: current(), name: name() }
        if (next === 'settled') number += 1
        version += 1
        dialog = withQuestion(dialog, current(), now)
      }
      count += remembered.length
      expect(remembered).toEqual(
        remembered.map((one) =>
          one.rule.startsWith('wide')
            ? { ...one, rule: `wide-${one.name}-yes`, isTextShown: true, by: 'sure y' }
            : { ...one, rule: `narrow-${one.name}`, isTextShown: true, by: 'wider s' },
        ),
      )
    }),
    { numRuns: 300 },
  )
  expect(count).toBeGreaterThan(20)
})
