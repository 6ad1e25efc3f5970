import { array, assert, constantFrom, integer, oneof, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UNREAD_MS, withQuestion } from '../../../src/command-line/dialog/dialog.ts'
import { type Activity, activityOf, afterEvent } from '../../../src/command-line/follow/activity.ts'
import {
  type FollowState,
  initialFollowState,
  pressed,
  withShown,
} from '../../../src/command-line/follow/follow-state.ts'
import { footerOf, footerRows } from '../../../src/command-line/follow/footer-lines.ts'
import { numberedKey } from '../../../src/command-line/follow/numbered-keys.ts'
import { settledLine } from '../../../src/command-line/views/answer-lines.ts'
import type { Key } from '../../../src/command-line/terminal/terminal-keys.ts'
import { EMPTY_LINE, lineOf, textOf } from '../../../src/command-line/terminal/typed-line.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { aSession } from '../../contracts/rows.ts'
import { askedQuestion } from '../../rig/tools/asked-question.ts'

const FOOTER = { name: 'web', costUsd: 0, timeoutMs: 1, more: 0, now: UNREAD_MS, homeFolder: undefined }
const start = initialFollowState(false)
const letters = (text: string): Key[] => Array.from(text, (letter) => ({ text: letter }))
const withOpen = (state: FollowState, id: string, now = 0): FollowState => ({
  ...state,
  dialog: withQuestion(state.dialog, askedQuestion(id), now),
})
function press(state: FollowState, ...keys: Key[]) {
  let reaction: ReturnType<typeof pressed> = { state }
  for (const key of keys) reaction = pressed(reaction.state, key, UNREAD_MS)
  return reaction
}

test('what is typed while nothing is asked is sent as a prompt', () => {
  expect(press(start, ...letters('more work'), 'backspace', 'enter')).toMatchObject({
    state: { draft: EMPTY_LINE },
    action: { type: 'say', text: 'more wor' },
  })
  expect(press(start, ...letters('  '), 'enter').action).toBeUndefined()
})

describe('Ctrl-C', () => {
  test('clears what is typed, then interrupts the turn, then leaves', () => {
    const cleared = press(start, ...letters('x'), 'ctrl-c')
    expect(cleared).toEqual({ state: { ...start, draft: EMPTY_LINE } })
    expect(cleared.action).toBeUndefined()
    const interrupted = press(cleared.state, 'ctrl-c')
    expect(interrupted.action).toEqual({ type: 'interrupt' })
    expect(press(interrupted.state, 'ctrl-c').action).toEqual({ type: 'leave' })
  })

  test('first ends what was begun for a question', () => {
    const denying = press(withOpen(start, '1'), ...letters('dno')).state
    const cleared = press(denying, 'ctrl-c')
    expect(cleared).toMatchObject({ state: { dialog: { step: 'choose', draft: EMPTY_LINE } } })
    expect(cleared.action).toBeUndefined()
    expect(press(cleared.state, 'ctrl-c').action).toBeUndefined()
  })

  test('with a question open destroys nothing: it says what a second one does, and that one leaves', () => {
    const open = withOpen(start, '1')
    const once = press(open, 'ctrl-c')
    expect(once.action).toBeUndefined()
    expect(once.state.dialog).toEqual(open.dialog)
    expect(press(once.state, 'ctrl-c').action).toEqual({ type: 'leave' })
    expect(press(once.state, ...letters('i')).action).toEqual({ type: 'interrupt' })
    // It is for a moment, and any other key ends it.
    expect(pressed(once.state, 'ctrl-c', UNREAD_MS + 5_000).action).toBeUndefined()
    expect(pressed(once.state, { text: 'i' }, UNREAD_MS + 5_000).action).toBeUndefined()
    expect(press(once.state, ...letters('si')).action).toBeUndefined()
    expect(press(once.state, ...letters('s'), 'escape', 'ctrl-c').action).toBeUndefined()
  })

  test('is never an interrupt or an answer while a question is open, whatever was pressed before', () => {
    const key = oneof(
      constantFrom<Key>('enter', 'escape', 'backspace', 'up'),
      constantFrom('a', 's', 'd', 'v', '?', 'x', '1').map((text): Key => ({ text })),
    )
    assert(
      property(array(key, { maxLength: 12 }), integer({ min: 0, max: 9_000 }), (keys, pause) => {
        const { state } = press(withOpen({ ...start, isBusy: true }, '1'), ...keys)
        const { action } = pressed(state, 'ctrl-c', UNREAD_MS + pause)
        expect(action).toBeUndefined()
      }),
    )
  })
})

describe('a line that is typed for a question', () => {
  const denying = press(withOpen(start, '1'), ...letters('dtoo ris')).state
  test.each([
    ['a prompt', undefined],
    ['the next question', askedQuestion('2')],
  ])('never becomes %s when the question is settled elsewhere', (_, next) => {
    const gone = withShown(denying, next, UNREAD_MS)
    expect(gone.dropped).toBe('web.1')
    let reaction: ReturnType<typeof pressed> = { state: gone }
    for (const key of [...letters('ky a'), 'enter'] as const) {
      reaction = pressed(reaction.state, key, 100 * UNREAD_MS)
      expect(reaction.action).toBeUndefined()
    }
    expect(reaction.state).toMatchObject({
      draft: EMPTY_LINE,
      dialog: { draft: EMPTY_LINE },
      dropped: undefined,
    })
    const after = pressed(reaction.state, { text: 'a' }, 200 * UNREAD_MS)
    expect([after.action?.type, textOf(after.state.draft)]).toEqual(next ? ['answer', ''] : [undefined, 'a'])
  })

  test('is not missed where nothing was typed, or where it was answered here', () => {
    expect(withShown(withOpen(start, '1'), undefined, 1).dropped).toBeUndefined()
    const answered = press(denying, 'enter')
    expect(answered.action).toMatchObject({ answer: { approve: false, message: 'too ris' } })
    expect(withShown(answered.state, undefined, 1).dropped).toBeUndefined()
  })
})

const head = (state: FollowState) => footerOf(state, activityOf(aSession()), FOOTER).head

test('? shows the keys, and a key that is none says which there are', () => {
  const open = withOpen(start, '1')
  expect(head(press(open, ...letters('?')).state)).toEqual([
    'a  allow once: exactly what is shown above',
    's  do not ask again …; what would be remembered is shown first',
    'd  deny; you may say why',
    'v  print all of it',
    'Esc goes back one step.',
    'Ctrl-C twice leaves the session running, with the question open.',
  ])
  const unknown = press(open, ...letters('z')).state
  expect(head(unknown)).toEqual(['z is no key here. The keys are a, s, d, v; ? explains them.'])
  expect(head(press(unknown, ...letters('?'), 'escape').state)).toEqual([])
  expect(head(press(start, ...letters('?')).state)[0]).toContain('Enter sends')
  expect(press(start, ...letters('why?'), 'enter').action).toEqual({ type: 'say', text: 'why?' })
})

test('by number, a word that is no choice is answered with the choices', () => {
  const unknown = [...letters('yes'), 'enter' as const].reduce(
    (state, key) => pressed(state, key, UNREAD_MS, numberedKey).state,
    withOpen(start, '1'),
  )
  expect(footerOf(unknown, activityOf(aSession()), FOOTER)).toMatchObject({
    head: ['yes is none of these; type a number from 1 to 4.'],
    choices: [{ key: 'a' }, { key: 's' }, { key: 'd' }, { key: 'v' }],
    draft: EMPTY_LINE,
  })
})

test('a question in the middle of a prompt takes no key of it, and the prompt is there afterwards', () => {
  const typing = press(start, ...letters('add ')).state
  let state = withOpen(typing, '1', 0)
  let now = 0
  for (const letter of 'a day') {
    now += UNREAD_MS - 1
    const reaction = pressed(state, { text: letter }, now)
    expect(reaction.action).toBeUndefined()
    state = reaction.state
  }
  expect(state.draft).toEqual(lineOf('add a day'))
  expect(pressed(state, { text: 'a' }, now + UNREAD_MS)).toMatchObject({
    state: { draft: lineOf('add a day') },
    action: { type: 'answer' },
  })
})

test('a key that comes too soon after a question appeared says so, and the same key later counts', () => {
  const open = withOpen(start, '1', 0)
  const early = pressed(open, { text: 'a' }, UNREAD_MS - 1)
  expect(early.action).toBeUndefined()
  expect(head(early.state)).toEqual(['Key ignored: the question had just appeared. Press it again.'])
  const later = pressed(early.state, { text: 's' }, 2 * UNREAD_MS)
  expect(head(later.state)[0]).toContain('Not asked about again')
  // In the middle of a prompt the key was not ignored: it is part of the prompt.
  const typing = withOpen(press(start, ...letters('ad')).state, '1', 0)
  expect(head(pressed(typing, { text: 'd' }, 1).state)).toEqual([])
})

test('while the hub is away keys do nothing, but Ctrl-C leaves', () => {
  const away = { ...withOpen(start, '1'), awaySince: 1 }
  expect(press(away, ...letters('a'))).toEqual({ state: away })
  expect(press(away, 'ctrl-c').action).toEqual({ type: 'leave' })
})

test('by number and Enter, a choice is the same as by its letter', () => {
  const open = withOpen(start, '1')
  const type = (...keys: Key[]) => {
    let reaction: ReturnType<typeof pressed> = { state: open }
    for (const key of keys) reaction = pressed(reaction.state, key, UNREAD_MS, numberedKey)
    return reaction
  }
  expect(type(...letters('1')).action).toBeUndefined()
  expect(type(...letters('1'), 'enter').action).toMatchObject({ answer: { approve: true } })
  expect(type(...letters('2'), 'enter', ...letters('1'), 'enter').action).toMatchObject({
    answer: { remember: 'session' },
  })
  expect(type(...letters('3'), 'enter', ...letters('no'), 'enter').action).toMatchObject({
    answer: { approve: false, message: 'no' },
  })
  for (const wrong of ['a', '9', '', '1x']) expect(type(...letters(wrong), 'enter').action).toBeUndefined()
  // A number that was typed for a question that is gone is gone too.
  const next = withOpen(type(...letters('1')).state, '2', UNREAD_MS)
  expect(pressed(next, 'enter', 3 * UNREAD_MS, numberedKey).action).toBeUndefined()
})

describe('the footer', () => {
  const context = {
    name: 'web',
    costUsd: 0.5,
    timeoutMs: 100_000,
    more: 0,
    now: 42_000,
    homeFolder: undefined,
  }
  const busy: Activity = { doing: 'Bash npm test', isBusy: true, since: 0, tookMs: undefined, tokens: 12_345 }
  const rows = (state: FollowState, columns: number, more: Partial<typeof context> = {}) =>
    footerRows(footerOf(state, busy, { ...context, ...more }), { columns, rows: 24, encode: (text) => text })
      .rows

  test('says what the session does, for how long, tokens and cost, and what can be typed', () => {
    expect(rows(press(start, ...letters('hi')).state, 80)).toEqual([
      '── web · 0:42 · 12.3k tokens · $0.50 · Bash npm test ──────────────────────────',
      'Type what it should do next. Ctrl-C interrupts it.',
      '> hi',
    ])
  })

  test('says what Ctrl-C did: with a question open nothing yet, otherwise the turn is interrupted', () => {
    const leaving = pressed(withOpen(start, '1'), 'ctrl-c', 42_000).state
    const line = 'Ctrl-C again leaves it running, with the question open; [i] interrupts the turn.'
    expect(rows(leaving, 100)[1]).toBe(line)
    expect(rows(leaving, 100, { now: 47_000 })).not.toContain(line)
    expect(rows(press(start, 'ctrl-c').state, 100)[1]).toContain(
      'The turn is interrupted. Ctrl-C again leaves',
    )
    const gone = withShown(press(withOpen(start, '1'), ...letters('dno')).state, undefined, 0)
    expect(rows(gone, 100)[1]).toBe(
      'web.1 was settled meanwhile, so what you type for it is dropped. Enter or Esc continues.',
    )
  })

  test('has the keys for a question, none of them broken in 40 columns', () => {
    expect(rows(withOpen(start, '1'), 40, { more: 2 })).toEqual([
      '── web.1 needs you · waits 0:41 · 2 mo…',
      '[a] allow once  [s] do not ask again …',
      '[d] deny  [v] view all',
    ])
  })

  test('warns when little of the time of a question is left', () => {
    const dialog = withQuestion(start.dialog, askedQuestion('1', { expiresAt: 60_000 }), 0)
    expect(rows({ ...start, dialog }, 80)[0]).toContain('EXPIRES in 18 s')
    expect(rows({ ...start, dialog }, 80, { now: 30_000 })[0]).toContain('expires in 30 s')
    expect(rows({ ...start, dialog }, 80)[1]).toContain('[t] more time')
  })

  test('says since when the hub is away', () => {
    expect(rows({ ...withOpen(start, '1'), awaySince: 40_000 }, 80)).toEqual([
      '── web · the hub is away for 2 s; nothing is lost ─────────────────────────────',
      'Keys are off until it is back. Ctrl-C leaves; the session keeps running.',
    ])
  })

  test('offers no keys while an answer is on its way', () => {
    expect(rows(press(withOpen(start, '1'), ...letters('a')).state, 80)[1]).toBe(
      'web.1: the answer is on its way',
    )
  })
})

test('what it does now is a fold over its events', () => {
  const story: [SessionEvent, Partial<Activity>][] = [
    [
      { type: 'prompt.accepted', promptId: 'p', content: 'x' },
      { isBusy: true, doing: 'thinking', since: 1 },
    ],
    [
      { type: 'tool.used', toolUseId: 't', toolName: 'Bash', input: { command: 'ls' }, contextTokens: 9 },
      { doing: 'Bash ls', tokens: 9 },
    ],
    [{ type: 'tool.used', toolUseId: 'u', toolName: 'Read', input: {}, parent: 't' }, { doing: 'Bash ls' }],
    [{ type: 'tool.finished', toolUseId: 't', isError: false, content: '' }, { doing: 'thinking' }],
    [
      { type: 'api.retried', attempt: 2, maxRetries: 10, delayMs: 1, error: 'x' },
      { doing: 'the API failed, try 2 of 10' },
    ],
    [
      { type: 'turn.ended', outcome: 'done' },
      { isBusy: false, doing: 'idle', tookMs: 5 },
    ],
  ]
  let activity = activityOf(aSession())
  for (const [at, [event, expected]] of story.entries()) {
    activity = afterEvent(activity, { seq: at, turn: 1, at: at + 1, event })
    expect(activity).toMatchObject(expected)
  }
})

const settled = (fields: object, isOwn = false) =>
  settledLine('web.1', { status: 'allowed', ...fields }, { at: 0, isOwn }).replace(/\d\d:\d\d:\d\d/, 'T')

test('what became of a question says who and how; expired and withdrawn are not a no', () => {
  expect(settled({ by: 'operator' }, true)).toBe('= web.1 allowed by you at T')
  expect(settled({ by: 'desk\u001B', via: 'command_line' })).toBe(
    '= web.1 was settled elsewhere: allowed by desk\\u{1b} (command line) at T',
  )
  const edit = { behavior: 'allow', updatedInput: { command: 'b' } } as const
  const asked = { kind: 'tool', toolName: 'Bash', input: { command: 'a' } }
  expect(settledLine('web.1', { status: 'allowed', decision: edit }, { at: 0, isOwn: true, asked })).toMatch(
    /^= web.1 allowed as edited by you at /,
  )
  expect(settled({ status: 'expired' })).toContain('expired at T: nobody answered')
  expect(settled({ status: 'withdrawn' })).toContain('withdrawn at T')
})
