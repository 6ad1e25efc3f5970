import { array, assert, constantFrom, integer, property, record, string } from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { questionsOf } from '../../../src/approvals/question.ts'
import { type Key, UNREAD_MS } from '../../../src/command-line/follow/follow-state.ts'
import { changedLines } from '../../../src/command-line/watch/line-diff.ts'
import { watchLines } from '../../../src/command-line/watch/watch-layout.ts'
import {
  initialWatchModel,
  keyPressed,
  type WatchModel,
  withSessions,
} from '../../../src/command-line/watch/watch-model.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { anApproval, aSession } from '../../contracts/rows.ts'

function asked(sessionId: string, id: string, command = id): PendingQuestion {
  const approval = anApproval({ id, sessionId, toolName: 'Bash', input: { command } })
  return { ...approval, questions: questionsOf(approval), suggestedRules: [], shortId: `${sessionId}.${id}` }
}
const waiting = (id: string, updatedAt = 1): Session =>
  aSession({ id, name: id, status: 'waiting', updatedAt })
const running = (id: string, updatedAt = 1): Session =>
  aSession({ id, name: id, status: 'running', updatedAt })
const model = withSessions(
  initialWatchModel,
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
const context = { now: 0, homeFolder: undefined, style: (_: string, text: string) => text }

describe('the live screen', () => {
  test('selects what needs a person first, and answers its question by a key', () => {
    expect(model.selected).toBe('a')
    expect(press(model, key('a')).action).toMatchObject({
      type: 'answer',
      question: { id: '1' },
      answer: { approve: true },
    })
  })

  test('moves by j, k and arrows, and not past the ends', () => {
    expect(press(model, key('j')).model.selected).toBe('b')
    expect(press(model, 'down', 'down', 'down').model.selected).toBe('c')
    expect(press(model, key('k'), 'up').model.selected).toBe('a')
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

  test('takes every key for the reason while one is typed', () => {
    const { model: typing, action } = press(model, key('d'), key('n'), key('q'), key('x'))
    expect([typing.dialog.draft, action]).toEqual(['nqx', undefined])
    expect(press(typing, 'enter').action).toMatchObject({ answer: { approve: false, message: 'nqx' } })
  })

  test('x interrupts, Enter attaches, ? helps and q leaves', () => {
    expect(press(model, key('x')).action).toEqual({ type: 'interrupt session', sessionId: 'a' })
    expect(press(model, 'enter').action).toEqual({ type: 'attach', sessionId: 'a' })
    expect(press(model, key('?')).model.showsHelp).toBe(true)
    expect(press(model, key('?'), key('a'))).toMatchObject({ model: { showsHelp: false } })
    expect(press(model, key('q')).action).toEqual({ type: 'leave' })
    expect(press(model, 'ctrl-c').action).toEqual({ type: 'leave' })
  })

  test('shows list, question and keys at 80x24', () => {
    const lines = watchLines(model, { columns: 80, rows: 24 }, context)
    expect(lines).toHaveLength(24)
    expect(lines[0]).toBe('plexus  3 sessions, 2 need you')
    expect(lines[2]).toMatch(/^> a +needs you/)
    expect(lines.join('\n')).toContain('a asks:\na.1  wants to run: 1\n    1\n')
    expect(lines[22]).toContain('a.1: [a]llow')
    expect(lines[23]).toContain('q leave')
  })

  test('says how to begin where there is nothing', () => {
    expect(watchLines(initialWatchModel, { columns: 80, rows: 5 }, context)[2]).toContain('plexus start')
  })
})

test('whatever the sessions are called and ask, the screen has its size', () => {
  const some = record({
    name: string({ unit: 'grapheme' }),
    command: string({ unit: 'grapheme' }),
    status: constantFrom('waiting', 'running', 'done'),
  })
  assert(
    property(
      array(some, { maxLength: 40 }),
      integer({ min: 40, max: 120 }),
      integer({ min: 6, max: 50 }),
      (all, columns, rows) => {
        const sessions = all.map(({ name, status }, at) =>
          aSession({ id: `s${at}`, name, status: status as Session['status'] }),
        )
        const questions = all.flatMap(({ command, status }, at) =>
          status === 'waiting' ? asked(`s${at}`, `${at}`, command) : [],
        )
        const lines = watchLines(
          withSessions(initialWatchModel, sessions, questions, 0),
          { columns, rows },
          context,
        )
        expect(lines).toHaveLength(rows)
        expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([])
        expect(lines.filter((line) => line.includes('\n'))).toEqual([])
      },
    ),
  )
})

test('only lines that differ are written, each in its place', () => {
  expect(changedLines(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe('\u001B[2;1Hx\u001B[K')
  expect(changedLines(['a'], ['a'])).toBe('')
  expect(changedLines([], ['a', 'b'])).toBe('\u001B[1;1Ha\u001B[K\u001B[2;1Hb\u001B[K')
})
