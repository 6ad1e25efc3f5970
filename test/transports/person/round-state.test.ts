import { expect, test } from 'vitest'
import { createSigner } from '../../../src/text/signed-text.ts'
import { roundIn, sealedRound } from '../../../src/transports/person/round-state.ts'

const STATE = { sessionId: 's', tried: [{ id: 'a', sessionId: 's', askedAt: 1_700_000_000_000 }] }

test('S41: when a form was put comes back as it was sent, or not at all; the next hub knows it too', () => {
  const signer = createSigner('key')
  const sealed = sealedRound(signer, STATE)
  expect(roundIn(createSigner('key'), sealed)).toEqual(STATE)
  const [first] = STATE.tried
  const several = { tried: [first, { ...first, id: 'b' }] } as typeof STATE
  expect(roundIn(signer, sealedRound(signer, several))).toEqual(several)
  expect(() => roundIn(signer, sealedRound(signer, { tried: [] }))).toThrow('requestState')
  expect(roundIn(signer, undefined)).toBeUndefined()
  const [, mark = ''] = sealed.split('.')
  const earlier = { ...STATE, tried: [{ id: 'a', sessionId: 's', askedAt: 1_600_000_000_000 }] }
  const forged = `${Buffer.from(JSON.stringify(earlier)).toString('base64url')}.${mark}`
  const otherPurpose = signer.sign('connection', STATE)
  for (const wrong of [forged, otherPurpose, sealed.slice(1), mark, JSON.stringify(STATE), '', '.', '{}'])
    expect(() => roundIn(signer, wrong)).toThrow('requestState must come back as it was sent.')
  expect(() => roundIn(createSigner('another'), sealed)).toThrow('requestState')
})
