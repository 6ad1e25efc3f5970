import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyInList } from '../../dashboard/src/sessions/folder-keys.ts'

const KEYS = ['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape', 'a']

test('the arrows move through the list and around its ends', () => {
  const open = { count: 3, isOpen: true }
  expect(keyInList('ArrowDown', { count: 3, active: -1, isOpen: false })).toEqual({ isOpen: true, active: 0 })
  expect(keyInList('ArrowDown', { ...open, active: 2 })?.active).toBe(0)
  expect(keyInList('ArrowUp', { ...open, active: 0 })?.active).toBe(2)
  expect(keyInList('Enter', { ...open, active: 1 })).toMatchObject({ chosen: 1, active: -1 })
})

test('without a choice, Enter and Tab belong to the form', () => {
  for (const key of ['Enter', 'Tab']) {
    expect(keyInList(key, { count: 3, active: -1, isOpen: true })).toBeUndefined()
    expect(keyInList(key, { count: 3, active: 1, isOpen: false })).toBeUndefined()
  }
  expect(keyInList('Escape', { count: 0, active: -1, isOpen: false })).toBeUndefined()
})

test('whatever is pressed, only an entry of the list is active or chosen', () => {
  fc.assert(
    fc.property(fc.nat({ max: 5 }), fc.array(fc.constantFrom(...KEYS)), (count, keys) => {
      let state = { count, active: -1, isOpen: false }
      for (const key of keys) {
        const pressed = keyInList(key, state)
        if (!pressed) continue
        expect(pressed.active).toBeLessThan(Math.max(count, 1))
        expect(pressed.chosen ?? 0).toBeLessThan(Math.max(count, 1))
        state = { count, active: pressed.active, isOpen: pressed.isOpen }
      }
    }),
  )
})
