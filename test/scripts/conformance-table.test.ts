import { expect, test } from 'vitest'
import { type Check, outcomeOf, outcomeUnrun, tableOf } from '../../scripts/conformance-table.mjs'

const passed: Check = { id: 'one', status: 'SUCCESS' }
const failed: Check = { id: 'two', status: 'FAILURE', errorMessage: 'Expected 404.' }
const warned: Check = { id: 'three', status: 'WARNING', errorMessage: 'Should have.' }
const prompts: Check = { id: 'sep-2549-prompts-list-caching-hints', status: 'FAILURE' }

test('a scenario is ours to pass, or not for us with a reason, or fails because nobody has said which', () => {
  expect(outcomeUnrun('ping', '2025-11-25')).toBeUndefined()
  expect(outcomeUnrun('prompts-list', '2025-11-25')).toMatchObject({ word: 'not for us' })
  expect(outcomeUnrun('brand-new', '2025-11-25')).toMatchObject({ word: 'fail' })
  expect(outcomeUnrun('ping', '2026-07-28')).toMatchObject({ word: 'fail' })
})

test('one failed check fails its scenario, and so does having checked nothing', () => {
  expect(outcomeOf('ping', [passed, failed])).toEqual({ word: 'fail', reason: 'two: Expected 404.' })
  expect(outcomeOf('ping', [{ id: 'one', status: 'SKIPPED' }])).toMatchObject({ word: 'fail' })
})

test('a warning is printed and fails nothing', () => {
  const outcome = outcomeOf('ping', [passed, warned])
  expect(outcome).toEqual({ word: 'pass', checks: 1, reason: 'three: Should have.' })
})

test('a check that is not for us may fail, and has to', () => {
  expect(outcomeOf('caching', [passed, prompts])).toMatchObject({ word: 'pass', checks: 1 })
  expect(outcomeOf('caching', [passed])).toMatchObject({ word: 'fail' })
  expect(outcomeOf('caching', [passed, { ...prompts, status: 'SUCCESS' }])).toMatchObject({ word: 'fail' })
})

test('the table has failures first, then what passes, and a reason for what is not for us', () => {
  const outcomes = {
    'prompts-list': {
      a: { word: 'not for us', reason: 'None.' },
      b: { word: 'not for us', reason: 'None.' },
    },
    ping: { a: { word: 'pass', checks: 2, reason: '' } },
    'brand-new': { b: { word: 'fail', reason: 'x | y' } },
  } as const
  expect(tableOf(outcomes, ['a', 'b']).split('\n').slice(2)).toEqual([
    '| brand-new |  | fail | x \\| y |',
    '| ping | pass (2) |  |  |',
    '| prompts-list | not for us | not for us | None. |',
  ])
})
