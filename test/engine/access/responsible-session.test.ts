import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Escalation } from '../../../src/approvals/approval.ts'
import {
  type Ancestor,
  levelOf,
  nextAbove,
  OWNER,
  responsibleFor,
} from '../../../src/engine/access/responsible-session.ts'
import { SessionStatus } from '../../../src/sessions/record/session.ts'
import { CALLERS } from '../../rig/clients/family.ts'

const IDS = ['parent', 'grandparent', 'great'] as const
const line: fc.Arbitrary<Ancestor[]> = fc
  .array(fc.constantFrom(...SessionStatus.options), { maxLength: IDS.length })
  .map((all) => all.map((status, at) => ({ id: IDS[at] ?? '', status })))
const handedTo = (to: string): Escalation => ({ by: 'x', to, at: 1 })
const handed = fc.array(fc.constantFrom(...IDS, OWNER).map(handedTo), { maxLength: 4 })
const isAtWork = ({ status }: Ancestor) => status === 'running' || status === 'waiting'
/** How high one stands; the owner is above all. */
const heightOf = (above: readonly Ancestor[], who: string) => {
  const at = above.findIndex(({ id }) => id === who)
  return at === -1 ? above.length : at
}
const working: Ancestor[] = IDS.map((id) => ({ id, status: 'running' }))

describe('who is to answer', () => {
  test('is always somebody, and a session only if it is at work', () => {
    fc.assert(
      fc.property(line, handed, (above, escalations) => {
        const who = responsibleFor(above, { escalations })
        const session = above.find(({ id }) => id === who)
        expect(who === OWNER || (session !== undefined && isAtWork(session))).toBe(true)
      }),
    )
  })

  test('is the one right above also when it is done and is woken for it, once, and was not stopped', () => {
    const parent: Ancestor = { id: 'parent', status: 'done' }
    const grandparent: Ancestor = { id: 'grandparent', status: 'running' }
    const withParent = (other: Partial<Ancestor>, more: object = {}) =>
      responsibleFor([{ ...parent, ...other }, grandparent], { wakesFor: 'q', ...more })
    expect(withParent({})).toBe('parent')
    expect(withParent({ knows: ['other'] })).toBe('parent')
    for (const other of [
      { knows: ['q'] },
      { stopped: true },
      { status: 'failed' },
      { status: 'interrupted' },
    ] as const)
      expect(withParent(other)).toBe('grandparent')
    expect(withParent({}, { escalations: [handedTo('grandparent')] })).toBe('grandparent')
    expect(withParent({}, { personOnly: true })).toBe(OWNER)
  })

  test('is the nearest that is at work and not below where it was handed to', () => {
    fc.assert(
      fc.property(line, handed, (above, escalations) => {
        const height = heightOf(above, responsibleFor(above, { escalations }))
        const least = Math.max(0, ...escalations.map(({ to }) => heightOf(above, to)))
        expect(height).toBeGreaterThanOrEqual(least)
        expect(above.slice(least, height).some(isAtWork)).toBe(false)
      }),
    )
  })

  test('changes upward only when somebody ends or hands it on', () => {
    fc.assert(
      fc.property(line, handed, fc.nat(2), (above, escalations, ends) => {
        const before = heightOf(above, responsibleFor(above, { escalations }))
        const without = above.map((one, at): Ancestor => (at === ends ? { ...one, status: 'done' } : one))
        expect(heightOf(above, responsibleFor(without, { escalations }))).toBeGreaterThanOrEqual(before)
        const more = [...escalations, handedTo(OWNER)]
        expect(responsibleFor(above, { escalations: more })).toBe(OWNER)
      }),
    )
  })

  test('is never a session where a person is wanted', () => {
    fc.assert(
      fc.property(line, (above) => {
        expect(responsibleFor(above, { personOnly: true })).toBe(OWNER)
      }),
    )
  })
})

describe('to whom it is handed', () => {
  test('is who is responsible from then on, above the one who hands it on, and never lower than it was', () => {
    fc.assert(
      fc.property(line, handed, fc.constantFrom(...IDS), (above, escalations, from) => {
        fc.pre(above.some(({ id }) => id === from))
        const to = nextAbove(above, from, { escalations }) ?? ''
        const before = heightOf(above, responsibleFor(above, { escalations }))
        expect(responsibleFor(above, { escalations: [...escalations, handedTo(to)] })).toBe(to)
        expect(heightOf(above, to)).toBeGreaterThan(heightOf(above, from))
        expect(heightOf(above, to)).toBeGreaterThanOrEqual(before)
      }),
    )
  })

  test('goes level by level while all are at work, and from the owner to nobody', () => {
    expect(nextAbove(working, 'parent')).toBe('grandparent')
    expect(nextAbove(working, 'grandparent')).toBe('great')
    expect(nextAbove(working, 'great')).toBe(OWNER)
    expect(nextAbove(working, OWNER)).toBeUndefined()
  })
})

test('the level of an answer counts from the session right above', () => {
  const above = [CALLERS.parent.name, CALLERS.grandparent.name]
  expect(levelOf(CALLERS.parent, above)).toBe(0)
  expect(levelOf(CALLERS.grandparent, above)).toBe(1)
  expect(levelOf(CALLERS.owner, above)).toBe('owner')
  expect(levelOf(CALLERS.operator, above)).toBe('person')
  expect(levelOf({ ...CALLERS.operator, person: false }, above)).toBe('owner')
})
