import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { GOING_MS, NO_KEYS, type PageKeys, pressPageKey } from '../../dashboard/src/shell/page-keys.ts'

function pressed(...keys: string[]) {
  let state: PageKeys = NO_KEYS
  return keys.map((key) => {
    const result = pressPageKey(state, key, 0)
    state = result.keys
    return result
  })
}

test.each([
  ['i', '#/'],
  ['s', '#/sessions'],
  ['n', '#/notices'],
])('g %s goes to its page, and the page that is left sees neither key', (key, hash) => {
  const [first, second] = pressed('g', key)
  expect([first?.isTaken, second]).toEqual([true, { keys: NO_KEYS, isTaken: true, go: hash }])
})

test('after g the next letter is never a decision, and the one after it is again', () => {
  const letter = fc.constantFrom('a', 'd', 'e', 'j', 'k', 'r', 's', 't', 'w', 'x', 'y', 'A', 'D', 'i', 'n')
  fc.assert(
    fc.property(letter, letter, (first, second) => {
      expect(pressed('g', first, second).map(({ isTaken }) => isTaken)).toEqual([true, true, false])
    }),
  )
})

test('g waits for a second and no longer: then a key is for the page again', () => {
  fc.assert(
    fc.property(fc.constantFrom('a', 's', 'n', 'i'), fc.integer({ min: 0, max: 3 * GOING_MS }), (key, at) => {
      const { keys } = pressPageKey(NO_KEYS, 'g', 0)
      const isWaiting = at < GOING_MS
      expect(pressPageKey(keys, key, at)).toMatchObject({ keys: NO_KEYS, isTaken: isWaiting })
      expect('go' in pressPageKey(keys, key, at)).toBe(isWaiting && key !== 'a')
    }),
  )
})

test('Shift between the two letters changes nothing', () => {
  expect(pressed('g', 'Shift', 's').at(-1)).toMatchObject({ go: '#/sessions' })
})

test('while the keys are shown no key reaches the page but those that close them', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 's', 'A', 'y', 'j', ' ', '1')), (keys) => {
      expect(pressed('?', ...keys).every(({ isTaken }) => isTaken)).toBe(true)
      for (const close of ['?', 'Escape'])
        expect(pressed('?', ...keys, close, 'a').at(-1)).toEqual({ keys: NO_KEYS, isTaken: false })
    }),
  )
  expect(pressed('?', 'Tab').at(-1)?.isTaken).toBe(false)
})
