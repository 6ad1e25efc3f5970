import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownToOthers, shownToPerson } from '../../../src/approvals/floods/person-view.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { pendingApprovals } from '../../../src/child/state/run-state.ts'
import { evolveAll } from '../../../src/sessions/record/evolve-session.ts'
import { initialSessionState } from '../../../src/sessions/record/session-state.ts'
import type { Ledger } from '../../../src/sessions/writing/ledger.ts'
import { advance } from '../../../src/sessions/writing/step-from-events.ts'
import { aSession } from '../../contracts/rows.ts'
import { asApprovalId, asRunId, asSessionId } from '../../rig/tools/ids.ts'
import { runs } from '../../rig/tools/property-runs.ts'

const LIMITS = { perTurn: 5, perMinute: 3 }

type Op =
  | { op: 'ask'; pauseMs: number; byRule: boolean }
  | { op: 'answer' | 'withdraw'; which: number; yes: boolean }
  | { op: 'show' | 'deny' | 'turn' | 'crash' | 'end' }

const either = <T extends string>(...ops: T[]) => fc.constantFrom(...ops)
const pauseMs = fc.oneof(fc.constant(0), fc.integer({ min: -90_000, max: 90_000 }))
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ op: either('ask'), pauseMs, byRule: fc.constant(false) }) },
  { weight: 1, arbitrary: fc.record({ op: either('ask'), pauseMs, byRule: fc.constant(true) }) },
  {
    weight: 4,
    arbitrary: fc.record({ op: either('answer', 'withdraw'), which: fc.nat(9), yes: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ op: either('show', 'deny', 'turn', 'crash') }) },
  { weight: 1, arbitrary: fc.record({ op: either('end') }) },
)

/** A session that a person started, as its writer sees it; what is stored is kept. */
class Story {
  ledger: Ledger
  readonly stored: SessionEvent[] = []
  /** Whether the state after each crash was the state before it. */
  agrees = true
  #at = 1_000_000
  #asked = 0

  constructor() {
    const state = evolveAll(initialSessionState, [{ type: 'run.started', runId: asRunId('r') }])
    this.ledger = { session: aSession(), state, run: undefined, turn: undefined, title: '' }
    this.stored.push({ type: 'run.started', runId: asRunId('r') })
    this.append({ type: 'prompt.accepted', promptId: 'p', content: 'go' })
  }

  append(...events: SessionEvent[]): SessionEvent[] {
    const { ledger, step } = advance(this.ledger, events, { at: this.#at, flood: LIMITS })
    this.ledger = ledger
    const placed = step.events.map(({ event }) => event)
    this.stored.push(...placed)
    return placed
  }

  get pending() {
    return pendingApprovals(this.ledger.state.open).map((opened) => ({
      ...opened,
      sessionId: asSessionId('s1'),
    }))
  }

  get seen() {
    return shownToPerson(this.pending, () => this.ledger.session.showsHeld === true)
  }

  play(one: Op): SessionEvent[] {
    switch (one.op) {
      case 'ask': {
        this.#at += one.pauseMs
        const n = ++this.#asked
        const opened = {
          type: 'approval.opened',
          approvalId: asApprovalId(`a${n}`),
          requestId: `r${n}`,
          kind: 'tool',
          toolName: 'Bash',
          input: { command: `touch ${n}` },
          toolUseId: `t${n}`,
        } as const
        const decision = { behavior: 'allow', updatedInput: opened.input } as const
        const settled = { type: 'approval.settled', approvalId: opened.approvalId, decision } as const
        return this.append(opened, ...(one.byRule ? [{ ...settled, status: 'allowed' } as const] : []))
      }
      case 'answer': {
        const open = this.seen.filter(({ flood }) => !flood)
        const asked = open[one.which % Math.max(1, open.length)]
        if (!asked) return []
        const { approvalId, input } = asked
        return one.yes
          ? this.append({
              type: 'approval.settled',
              approvalId,
              status: 'allowed',
              decision: { behavior: 'allow', updatedInput: input },
            })
          : this.append({
              type: 'approval.settled',
              approvalId,
              status: 'denied',
              decision: { behavior: 'deny', message: 'no' },
            })
      }
      case 'withdraw': {
        const open = this.pending.filter(({ flood }) => !flood)
        const asked = open[one.which % Math.max(1, open.length)]
        return asked ? this.append({ type: 'request.cancelled', requestId: asked.requestId }) : []
      }
      case 'show':
      case 'deny': {
        const flood = this.pending.find((asked) => asked.flood)
        if (!flood) return []
        const { approvalId, input } = flood
        const decision = { behavior: 'allow', updatedInput: input } as const
        return this.append({
          type: 'approval.settled',
          approvalId,
          status: 'allowed',
          decision,
          by: 'ann',
          flood: one.op,
        })
      }
      case 'turn':
        return this.append(
          { type: 'turn.ended', outcome: 'done' },
          { type: 'prompt.accepted', promptId: `p${this.stored.length}`, content: 'more' },
        )
      case 'end':
        return this.append({ type: 'run.ended', runId: asRunId('r') })
      case 'crash': {
        // A new hub knows what is stored, and nothing else.
        const state = evolveAll(initialSessionState, this.stored)
        this.agrees &&= isDeepStrictEqual(state, this.ledger.state)
        this.ledger = { ...this.ledger, state }
        return []
      }
    }
  }
}

test('[13] whatever is asked, answered and interrupted: one question stands for what is held back, nothing unseen is allowed, and a crash changes nothing', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 60, size: 'max' }), (ops) => {
      const story = new Story()
      for (const step of ops) {
        const seenBefore = new Set<string>(story.seen.map(({ approvalId }) => approvalId))
        const openBefore = new Set<string>(story.pending.map(({ approvalId }) => approvalId))
        const events = story.play(step)
        const { pending, seen } = story
        const held = pending.filter((asked) => asked.held)
        const floods = pending.filter(({ flood }) => flood)
        const isShowing = story.ledger.session.showsHeld === true
        // One question stands for them, exactly while they are held back from view.
        expect(floods).toHaveLength(held.length > 0 && !isShowing ? 1 : 0)
        // A person sees all that is not held, and of what is held at most the oldest.
        expect(seen.filter((asked) => asked.held)).toEqual(isShowing ? held.slice(0, 1) : [])
        expect(seen.filter((asked) => !asked.held)).toEqual(pending.filter((asked) => !asked.held))
        // Others see every question of the child, and nothing else.
        expect(shownToOthers(pending)).toEqual(pending.filter(({ flood }) => !flood))
        const settled = events.filter((event) => event.type === 'approval.settled')
        const unseen = settled.filter(
          ({ status, approvalId }) =>
            status === 'allowed' && openBefore.has(approvalId) && !seenBefore.has(approvalId),
        )
        expect(unseen).toEqual([])
        const byDenial = step.op === 'deny' ? settled.filter(({ flood }) => flood === undefined) : []
        expect(
          byDenial.filter(({ end, status, by }) => `${status} ${end} ${by}` !== 'denied with others ann'),
        ).toEqual([])
        expect(step.op === 'deny' && events.length > 0 ? held : []).toEqual([])
      }
      // Each question ends at most once.
      const ends = story.stored.flatMap((event) =>
        event.type === 'approval.settled' ? event.approvalId : [],
      )
      expect(new Set(ends).size).toBe(ends.length)
      expect(story.agrees).toBe(true)
    }),
    { numRuns: runs(100) },
  )
})

test('[13] the sixth question of a turn and the fourth of a minute are held back; what a rule decides does not count', () => {
  const perMinute = new Story()
  for (let n = 0; n < 3; n++) perMinute.play({ op: 'ask', pauseMs: 0, byRule: false })
  perMinute.play({ op: 'ask', pauseMs: 0, byRule: true })
  expect(perMinute.pending.filter((asked) => asked.held ?? asked.flood)).toEqual([])
  perMinute.play({ op: 'ask', pauseMs: 1, byRule: false })
  expect(perMinute.pending.filter((asked) => asked.held)).toHaveLength(1)
  // What was asked first is shown first: while others are held back, a late one is too.
  perMinute.play({ op: 'ask', pauseMs: 300_000, byRule: false })
  expect(perMinute.pending.filter((asked) => asked.held)).toHaveLength(2)
  const perTurn = new Story()
  for (let n = 0; n < 5; n++) perTurn.play({ op: 'ask', pauseMs: 61_000, byRule: false })
  expect(perTurn.pending.filter((asked) => asked.held)).toEqual([])
  perTurn.play({ op: 'ask', pauseMs: 61_000, byRule: false })
  expect(perTurn.pending.filter((asked) => asked.held)).toHaveLength(1)
})

test('[13] nothing is counted where a model or a program is asked', () => {
  const story = new Story()
  story.ledger = { ...story.ledger, session: aSession({ timeoutMs: 300_000 }) }
  for (let n = 0; n < 30; n++) story.play({ op: 'ask', pauseMs: 0, byRule: false })
  expect(story.pending).toHaveLength(30)
  expect(story.pending.filter(({ held, flood }) => held ?? flood)).toEqual([])
})

test('[13] a form that is held back is declined with the others, by the same caller', () => {
  const story = new Story()
  for (let n = 0; n < 3; n++) story.play({ op: 'ask', pauseMs: 0, byRule: false })
  const form = { requestId: 'f', kind: 'form', toolName: 'mcp__a', input: {} } as const
  story.append({ type: 'approval.opened', approvalId: asApprovalId('form'), ...form })
  story.play({ op: 'ask', pauseMs: 0, byRule: false })
  const denied = story
    .play({ op: 'deny' })
    .flatMap((event) => (event.type === 'approval.settled' && event.end ? [event] : []))
  expect(denied).toMatchObject([
    { approvalId: 'form', by: 'ann', end: 'with others', decision: { behavior: 'form', action: 'decline' } },
    { by: 'ann', end: 'with others', decision: { behavior: 'deny' } },
  ])
})
