import { expect, test } from 'vitest'
import { RoundStates } from '../../src/transports/round-state.ts'

const STATE = { sessionId: 's', tried: [{ id: 'a', sessionId: 's', askedAt: 1_700_000_000_000 }] }

test('S41: when a form was put comes back as it was sent, or not at all; the next hub knows it too', () => {
  const sealed = new RoundStates('key').seal(STATE)
  expect(new RoundStates('key').open(sealed)).toEqual(STATE)
  expect(new RoundStates('key').open(undefined)).toBeUndefined()
  const earlier = sealed.replace('1700000000000', '1600000000000')
  for (const wrong of [earlier, sealed.slice(1), sealed.split('.')[1], JSON.stringify(STATE), '', '.', '{}'])
    expect(() => new RoundStates('key').open(wrong)).toThrow('requestState must come back as it was sent.')
  expect(() => new RoundStates().open(sealed)).toThrow('requestState')
})
