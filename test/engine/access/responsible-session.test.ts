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
const ancestorLists: fc.Arbitrary<Ancestor[]> = fc
  .array(fc.constantFrom(...SessionStatus.options), { maxLength: IDS.length })
  .map((all) => all.map((status, index) => ({ id: IDS[index] ?? '', status })))
const escalationTo = (to: string): Escalation => ({ by: 'x', to, at: 1 })
const escalated = fc.array(fc.constantFrom(...IDS, OWNER).map(escalationTo), { maxLength: 4 })
const isAtWork = ({ status }: Ancestor) => status === 'running' || status === 'waiting'
/** The position of an answerer; the owner is above all sessions. */
const heightOf = (above: readonly Ancestor[], answerer: string) => {
  const index = above.findIndex(({ id }) => id === answerer)
  return index === -1 ? above.length : index
}
const working: Ancestor[] = IDS.map((id) => ({ id, status: 'running' }))

describe('the responsible answerer', () => {
  test('always exists, and is a session only if that is at work', () => {
    fc.assert(
      fc.property(ancestorLists, escalated, (above, escalations) => {
        const answerer = responsibleFor(above, { escalations })
        const session = above.find(({ id }) => id === answerer)
        expect(answerer === OWNER || (session !== undefined && isAtWork(session))).toBe(true)
      }),
    )
  })

  test('is also an idle parent that can be woken: done, not stopped, and not woken for this before', () => {
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
    expect(withParent({}, { escalations: [escalationTo('grandparent')] })).toBe('grandparent')
    expect(withParent({}, { personOnly: true })).toBe(OWNER)
  })

  test('is no session whose conversation a terminal has: nothing there could answer', () => {
    const [parent, ...above] = working
    const answererWith = (to: 'terminal' | 'command') =>
      responsibleFor([
        { id: 'parent', status: 'running', ...parent, outside: { to, pid: 1, startedAt: '' } },
        ...above,
      ])
    expect([answererWith('terminal'), answererWith('command')]).toEqual(['grandparent', 'parent'])
  })

  test('is the nearest ancestor at work, not below the level of an escalation', () => {
    fc.assert(
      fc.property(ancestorLists, escalated, (above, escalations) => {
        const height = heightOf(above, responsibleFor(above, { escalations }))
        const least = Math.max(0, ...escalations.map(({ to }) => heightOf(above, to)))
        expect(height).toBeGreaterThanOrEqual(least)
        expect(above.slice(least, height).some(isAtWork)).toBe(false)
      }),
    )
  })

  test('moves only upward when a session ends or the question is escalated', () => {
    fc.assert(
      fc.property(ancestorLists, escalated, fc.nat(2), (above, escalations, ends) => {
        const before = heightOf(above, responsibleFor(above, { escalations }))
        const without = above.map((ancestor, index): Ancestor =>
          index === ends ? { ...ancestor, status: 'done' } : ancestor,
        )
        expect(heightOf(above, responsibleFor(without, { escalations }))).toBeGreaterThanOrEqual(before)
        const more = [...escalations, escalationTo(OWNER)]
        expect(responsibleFor(above, { escalations: more })).toBe(OWNER)
      }),
    )
  })

  test('is never a session where a person is required', () => {
    fc.assert(
      fc.property(ancestorLists, (above) => {
        expect(responsibleFor(above, { personOnly: true })).toBe(OWNER)
      }),
    )
  })
})

describe('an escalation', () => {
  test('makes its target responsible, above the escalating session and never lower than before', () => {
    fc.assert(
      fc.property(ancestorLists, escalated, fc.constantFrom(...IDS), (above, escalations, from) => {
        fc.pre(above.some(({ id }) => id === from))
        const to = nextAbove(above, from, { escalations }) ?? ''
        const before = heightOf(above, responsibleFor(above, { escalations }))
        expect(responsibleFor(above, { escalations: [...escalations, escalationTo(to)] })).toBe(to)
        expect(heightOf(above, to)).toBeGreaterThan(heightOf(above, from))
        expect(heightOf(above, to)).toBeGreaterThanOrEqual(before)
      }),
    )
  })

  test('goes up level by level while all sessions are at work, and ends at the owner', () => {
    expect(nextAbove(working, 'parent')).toBe('grandparent')
    expect(nextAbove(working, 'grandparent')).toBe('great')
    expect(nextAbove(working, 'great')).toBe(OWNER)
    expect(nextAbove(working, OWNER)).toBeUndefined()
  })
})

test('the level of an answer counts from the parent session', () => {
  const above = [CALLERS.parent.name, CALLERS.grandparent.name]
  expect(levelOf(CALLERS.parent, above)).toBe(0)
  expect(levelOf(CALLERS.grandparent, above)).toBe(1)
  expect(levelOf(CALLERS.owner, above)).toBe('owner')
  expect(levelOf(CALLERS.operator, above)).toBe('person')
  expect(levelOf({ ...CALLERS.operator, person: false }, above)).toBe('owner')
})
