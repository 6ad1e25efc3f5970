import { array, assert, constantFrom, integer, property, record, string } from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { UNREAD_MS } from '../../../src/command-line/dialog/dialog.ts'
import { withOffers } from '../../../src/command-line/dialog/dialog-offers.ts'
import { asciiText } from '../../../src/command-line/terminal/character-set.ts'
import type { Key } from '../../../src/command-line/terminal/terminal-keys.ts'
import { textOf } from '../../../src/command-line/terminal/typed-line.ts'
import { BARE_LOOK } from '../../../src/command-line/terminal/terminal-look.ts'
import { changedLines, placedCursor } from '../../../src/command-line/watch/line-diff.ts'
import { keyPressed } from '../../../src/command-line/watch/watch-keys.ts'
import { watchCursor, watchLines } from '../../../src/command-line/watch/watch-layout.ts'
import {
  initialWatchModel,
  type WatchModel,
  withPresence,
  withSessions,
} from '../../../src/command-line/watch/watch-model.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { aSession } from '../../contracts/rows.ts'
import { askedQuestion, COLOUR_AND_SIZES } from '../../rig/tools/asked-question.ts'
import { offersFor } from '../../rig/tools/rule-offers.ts'

const asked = (sessionId: string, id: string, command = id): PendingQuestion =>
  askedQuestion(id, { sessionId, input: { command } })
const waiting = (id: string, updatedAt = 1): Session =>
  aSession({ id, name: id, status: 'waiting', updatedAt })
const running = (id: string, updatedAt = 1): Session =>
  aSession({ id, name: id, status: 'running', updatedAt })
const empty = initialWatchModel(false)
const model = withSessions(
  empty,
  [running('c'), waiting('a', 3), waiting('b', 2)],
  [asked('a', '1'), asked('b', '2')],
  0,
)
const press = (from: WatchModel, ...keys: Key[]) => {
  let reaction: ReturnType<typeof keyPressed> = { model: from }
  for (const key of keys) reaction = keyPressed(reaction.model, key, UNREAD_MS)
  return reaction
}
const key = (text: string): Key => ({ text })
const context = { now: 0, homeFolder: undefined, look: BARE_LOOK }
const SIZE = { columns: 80, rows: 24 }
const keysOf = (shown: WatchModel) => watchLines(shown, SIZE, context).at(-1)

describe('the live screen', () => {
  test('selects what needs a person first, and answers its question by a key', () => {
    expect(model.selected).toBe('a')
    expect(press(model, key('a')).action).toMatchObject({
      type: 'answer',
      question: { id: '1' },
      answer: { approve: true },
    })
  })

  test('a terminal is neither attached to nor interrupted: its keys are not offered, and say why', () => {
    const outside = { to: 'terminal', pid: 7, startedAt: '1', status: 'busy' } as const
    const there = withSessions(empty, [{ ...running('c'), outside }], [], 0)
    for (const letter of ['o', 'i']) {
      expect(press(there, key(letter))).toEqual({ model: { ...there, message: expect.any(String) } })
      expect(press(there, key(letter)).model.message).toContain('c is open in a terminal (pid 7): type there')
    }
    expect(keysOf(there)).not.toMatch(/attach|interrupt/)
    expect(keysOf({ ...there, view: 'detail' })).not.toMatch(/attach|interrupt/)
    expect(keysOf(model)).toMatch(/o attach {2}i interrupt/)
    expect(press(model, key('o')).action).toEqual({ type: 'attach', sessionId: 'a' })
  })

  test('says how many need a person, in the singular too', () => {
    const one = withSessions(empty, [running('c'), waiting('a')], [asked('a', '1')], 0)
    expect(watchLines(one, SIZE, context)[0]).toBe('plexus  2 sessions, 1 needs you')
  })

  test('moves by j, k and arrows, not past the ends, and by n to what needs a person', () => {
    expect(press(model, key('j')).model.selected).toBe('b')
    expect(press(model, 'down', 'down', 'down').model.selected).toBe('c')
    expect(press(model, key('k'), 'up').model.selected).toBe('a')
    expect(press(model, key('n')).model.selected).toBe('b')
    expect(press(model, key('n'), key('n')).model.selected).toBe('a')
    expect(press(model, 'down', 'down', key('n')).model.selected).toBe('a')
  })

  test('keeps the selection when the list is sorted anew, and a new question waits until it can be read', () => {
    const next = withSessions(
      press(model, key('j')).model,
      [running('a', 9), waiting('b', 1)],
      [asked('b', '7')],
      1_000,
    )
    expect(next).toMatchObject({ selected: 'b', dialog: { question: { id: '7' } } })
    expect(keyPressed(next, key('a'), 1_000).action).toBeUndefined()
    expect(keyPressed(next, key('a'), 1_000 + UNREAD_MS).action).toMatchObject({ question: { id: '7' } })
  })

  test('keeps the question that is on the screen when an older one opens', () => {
    const next = withSessions(model, [waiting('a')], [asked('a', '0'), asked('a', '1')], 1_000)
    expect(next.dialog).toMatchObject({ question: { id: '1' }, readableAt: 0 })
  })

  test('takes every key for the reason while one is typed', () => {
    const { model: typing, action } = press(model, key('d'), key('n'), key('q'), key('j'), 'down')
    expect([textOf(typing.dialog.draft), action]).toEqual(['nqj', undefined])
    expect(press(typing, 'enter').action).toMatchObject({ answer: { approve: false, message: 'nqj' } })
  })

  test('has the cursor in the line that is typed, in the row above the keys, and otherwise none', () => {
    const { model: typing } = press(model, key('d'), key('n'), key('o'), 'left')
    const place = watchCursor(typing, SIZE, BARE_LOOK)
    const row = watchLines(typing, SIZE, context)[place?.row ?? -1] ?? ''
    expect(row.slice(0, place?.column)).toMatch(/^why not\?.* n$/)
    expect(row.endsWith('no')).toBe(true)
    expect(watchCursor(model, SIZE, BARE_LOOK)).toBeUndefined()
    expect(placedCursor(undefined)).toBe('\u001B[?25l')
    expect(placedCursor({ row: 1, column: 2 })).toBe('\u001B[2;3H\u001B[?25h')
  })

  test('o and r change what is remembered while that is shown, and o attaches again after it', () => {
    const shown = press(model, key('s'))
    expect(shown.action).toMatchObject({ type: 'read offers', question: { id: '1' } })
    const read = { ...shown.model, dialog: withOffers(shown.model.dialog, asked('a', '1'), offersFor('x')) }
    expect(press(read, key('o'), key('s')).action).toMatchObject({
      answer: { approve: true, remember: 'tree' },
    })
    expect(press(read, key('r'), key('s')).action).toMatchObject({ answer: { rememberRule: 'narrow-x' } })
    expect(press(read, 'escape', key('o')).action).toEqual({ type: 'attach', sessionId: 'a' })
  })

  test('i interrupts, o attaches, ? helps and q leaves', () => {
    expect(press(model, key('i')).action).toEqual({ type: 'interrupt', sessionId: 'a' })
    expect(press(model, key('o')).action).toEqual({ type: 'attach', sessionId: 'a' })
    expect(press(model, key('?')).model.view).toBe('help')
    expect(press(model, key('?'), key('a'))).toEqual({ model: { ...model, view: 'list' } })
    expect(press(model, key('q')).action).toEqual({ type: 'leave' })
    expect(press(model, 'ctrl-c').action).toEqual({ type: 'leave' })
  })

  test('while the hub is away, keys do nothing but leave, and afterwards the question is read anew', () => {
    const away = withPresence(model, 10, 10)
    expect(press(away, key('a'), key('j'))).toEqual({ model: away })
    expect(press(away, key('q')).action).toEqual({ type: 'leave' })
    const back = withPresence(away, undefined, 5_000)
    expect(keyPressed(back, key('a'), 5_000).action).toBeUndefined()
    expect(watchLines(away, SIZE, { ...context, now: 12_010 })[0]).toMatch(/^The hub is away for 12 s. Keys/)
  })

  test('shows list, question and keys at 80x24', () => {
    const lines = watchLines(model, SIZE, context)
    expect(lines).toHaveLength(24)
    expect(lines[0]).toBe('plexus  3 sessions, 2 need you')
    expect(lines[2]).toMatch(/^>  a +needs you +0 s +- +wants to run: 1$/)
    expect(lines.join('\n')).toContain('a.1  wants to run: 1\n    1\n')
    expect(lines[22]).toContain('[a] allow once')
    expect(lines[23]).toContain('q leave')
  })

  test('says how to begin where there is nothing', () => {
    expect(watchLines(empty, { columns: 80, rows: 5 }, context)[2]).toContain('plexus start')
  })

  test('warns of a question whose time is almost over', () => {
    const session = aSession({ id: 'a', name: 'a', status: 'waiting', timeoutMs: 100_000 })
    const question = askedQuestion('1', { sessionId: 'a', expiresAt: 15_000 })
    const lines = watchLines(withSessions(empty, [session], [question], 0), SIZE, context)
    expect(lines.join('\n')).toContain('EXPIRES in 15 s: [t] gives it more time')
  })
})

const shown = (at: WatchModel) => watchLines(at, SIZE, context).join('\n')

describe('several at once', () => {
  const two = press(model, key('x'), key('j'), key('x')).model

  test('are marked by x, shown by a or d, and decided as one by the same key', () => {
    expect(shown(two)).toContain('>x b ')
    expect(shown(two)).toContain('[a] allow these 2  [d] deny these 2')
    const shownFirst = press(two, key('a'))
    expect(shownFirst.action).toBeUndefined()
    expect(shown(shownFirst.model)).toContain(
      'all of these, or none:\n  a.1  wants to run: 1\n  b.2  wants to run: 2\n',
    )
    const confirmed = keyPressed(shownFirst.model, key('a'), 2 * UNREAD_MS)
    expect(confirmed).toMatchObject({
      model: { marked: [] },
      action: { type: 'answer all', approve: true, questions: [{ id: '1' }, { id: '2' }] },
    })
    const denied = keyPressed(press(two, key('d')).model, key('d'), 2 * UNREAD_MS)
    expect(denied.action).toMatchObject({ approve: false })
  })

  test('are not decided by a key that came too soon, by another key, or after Escape', () => {
    const shownFirst = press(two, key('a')).model
    expect(keyPressed(shownFirst, key('a'), 2 * UNREAD_MS - 1).action).toBeUndefined()
    const other = keyPressed(shownFirst, key('d'), 2 * UNREAD_MS)
    expect(other).toMatchObject({ model: { batch: { does: 'deny' } } })
    expect(other.action).toBeUndefined()
    expect(keyPressed(shownFirst, 'escape', 2 * UNREAD_MS).model).toMatchObject({ batch: undefined })
    expect(press(two, 'escape').model.marked).toEqual([])
    expect(press(two, key('s'), key('s')).action).toBeUndefined()
  })

  test('lose the mark when they are settled or change, and then the decision is shown anew', () => {
    const shownFirst = press(two, key('a')).model
    const settled = withSessions(shownFirst, [waiting('b')], [asked('b', '2')], 0)
    expect(settled).toMatchObject({ marked: [{ id: '2' }], batch: undefined })
    const changed = { ...asked('b', '2'), inputSha256: 'other' }
    expect(withSessions(shownFirst, [waiting('b')], [changed], 0).marked).toEqual([])
  })

  test('x unmarks again, and a question with options is not marked', () => {
    expect(press(model, key('x'), key('x')).model.marked).toEqual([])
    const options = askedQuestion('1', { sessionId: 'a', kind: 'question', input: COLOUR_AND_SIZES })
    expect(press(withSessions(empty, [waiting('a')], [options], 0), key('x')).model.marked).toEqual([])
  })

  test('are no more than can be shown before they are decided', () => {
    const names = Array.from({ length: 9 }, (_, at) => `s${at}`)
    let many = withSessions(
      empty,
      names.map((name) => waiting(name)),
      names.map((name) => asked(name, name)),
      0,
    )
    for (let left = names.length; left > 0; left--) many = press(many, key('x'), key('j')).model
    expect(many.marked).toHaveLength(8)
    expect(shown(press(many, key('a')).model)).toContain('s0.s0')
  })
})

describe('all of a question', () => {
  const long = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`).join('\n')
  const open = press(withSessions(empty, [waiting('a')], [asked('a', '1', long)], 0), 'enter').model

  test('is opened by Enter or v, and scrolled to its end and no further', () => {
    expect(press(model, key('v')).model).toMatchObject({ view: 'detail' })
    expect(shown(open)).toContain('    line 1\n')
    expect(shown(open)).toContain('more rows: j or PgDn')
    const end = press(open, ...Array.from({ length: 20 }, (): Key => 'page-down')).model
    expect(shown(end)).toContain('line 60')
    expect(shown(press(open, key('j')).model)).not.toContain('a: needs you')
  })

  test('is answered there, and left by Escape', () => {
    expect(press(open, key('a')).action).toMatchObject({ type: 'answer' })
    expect(press(open, 'escape').model.view).toBe('list')
    expect(press(open, key('d'), 'escape').model).toMatchObject({
      view: 'detail',
      dialog: { step: 'choose' },
    })
  })

  test('gives way to the list when the question is settled, and its key reaches no other', () => {
    const next = withSessions(open, [waiting('a')], [asked('a', '2')], 1_000)
    expect(next).toMatchObject({ view: 'list', dialog: { question: { id: '2' } } })
    expect(keyPressed(next, key('a'), 1_000).action).toBeUndefined()
  })
})

test.each([
  ['', (text: string) => text],
  [' without UTF-8', asciiText],
])('whatever the sessions are called and ask, the screen has its size%s', (_, encode) => {
  const hostile = constantFrom(
    '\u001B[2J',
    '\u202E',
    '日'.repeat(60),
    'e\u0301'.repeat(90),
    '\t\r\n',
    'x'.repeat(10_000),
  )
  const text = record({ before: string({ unit: 'grapheme' }), some: hostile }).map(
    ({ before, some }) => before + some,
  )
  const some = record({ name: text, command: text, status: constantFrom('waiting', 'running', 'done') })
  assert(
    property(
      array(some, { maxLength: 20 }),
      integer({ min: 40, max: 120 }),
      integer({ min: 6, max: 50 }),
      constantFrom<WatchModel['view']>('list', 'detail', 'help'),
      (all, columns, rows, view) => {
        const sessions = all.map(({ name, status }, at) =>
          aSession({ id: `s${at}`, name, workingDirectory: name, status: status as Session['status'] }),
        )
        const questions = all.flatMap(({ command, status }, at) =>
          status === 'waiting' ? asked(`s${at}`, `${at}`, command) : [],
        )
        const look = { ...BARE_LOOK, encode }
        const at = { ...withSessions(empty, sessions, questions, 0), view, message: all[0]?.name ?? '' }
        const lines = watchLines(
          at,
          { columns, rows },
          { ...context, look, recent: all.map(({ name }) => name) },
        )
        expect(lines).toHaveLength(rows)
        expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([])
        // oxlint-disable-next-line no-control-regex -- none may be left
        expect(lines.filter((line) => /[\u0000-\u001F\u007F-\u009F\u202E]/.test(line))).toEqual([])
        // oxlint-disable-next-line no-control-regex -- all but ASCII
        const wide = encode === asciiText ? lines.filter((line) => /[^\u0000-\u007F]/.test(line)) : []
        expect(wide).toEqual([])
      },
    ),
    { numRuns: 30 },
  )
})

test('only lines that differ are written, each in its place', () => {
  expect(changedLines(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe('\u001B[2;1Hx\u001B[K')
  expect(changedLines(['a'], ['a'])).toBe('')
  expect(changedLines([], ['a', 'b'])).toBe('\u001B[1;1Ha\u001B[K\u001B[2;1Hb\u001B[K')
})
