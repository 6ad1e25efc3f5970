import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { recentActivity } from '../../../src/api/views/recent-activity.ts'
import {
  lastInteractionSeq,
  readSinceInteraction,
  reportSession,
} from '../../../src/api/claude/session-report.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import {
  accepted,
  allow,
  deny,
  finished,
  opened,
  refused,
  said,
  settled,
} from '../../rig/cli/event-stories.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'
import { asGrantId } from '../../rig/tools/ids.ts'
import { runs } from '../../rig/tools/property-runs.ts'

const from = (...events: SessionEvent[]) =>
  lastInteractionSeq(events.map((event, index) => ({ seq: index + 1, turn: 1, at: 0, event })))

test('the last interaction is a prompt or a decision of a caller; a decision by a grant is not', () => {
  const began = [accepted('p'), said('1'), opened('1', 't1')]
  expect(from(...began, { ...settled('1', allow), by: 'ann' }, said('2'))).toBe(4)
  expect(from(...began, { ...settled('1', allow), by: 'ann', grantId: asGrantId('g1') }, said('2'))).toBe(1)
})

test('a session whose question is answered during the report is not shown as waiting', async () => {
  const { engine } = (await aFamily()).app
  const call = { caller: CALLERS.operator }
  const answered: Engine = {
    ...engine,
    getSession: async (...input) => {
      const session = await engine.getSession(...input)
      if (session.status === 'waiting') await engine.answer(call, { approvalId: QUESTION, approve: true })
      return session
    },
  }
  const report = await reportSession({ engine: answered, call }, { sessionId: CHILD, waitSeconds: 0 })
  expect(report.status).not.toBe('awaiting_input')
  expect(report).not.toHaveProperty('pendingQuestion')
})

const used = (id: string): SessionEvent => ({
  type: 'tool.used',
  toolUseId: `tool-${id}`,
  toolName: `Tool${id}`,
  input: {},
})
/** The events of one tool use: it is asked about or not, and one of several ends follows at any time. */
const life = (id: string): SessionEvent[][] => [
  [used(id), finished(id)],
  [used(id), refused(id), finished(id)],
  [used(id), opened(id, `tool-${id}`), { ...settled(id, allow), by: 'ann' }, finished(id)],
  [used(id), opened(id, `tool-${id}`), { ...settled(id, deny), by: 'ann' }, finished(id)],
  [used(id), opened(id, `tool-${id}`), settled(id), finished(id)],
]
/** Up to 8 tool uses side by side, with prompts and much text between their events. */
const stories = fc
  .record({
    lives: fc.array(fc.nat(4), { minLength: 1, maxLength: 8 }),
    picks: fc.array(fc.oneof(fc.nat(7), fc.constantFrom('text', 'prompt', 'much')), {
      maxLength: 60,
      size: 'max',
    }),
  })
  .map(({ lives, picks }) => {
    const left = lives.map((kind, index) => [...(life(String(index))[kind] ?? [])])
    const events = picks.flatMap((pick, index): SessionEvent[] => {
      if (pick === 'text') return [said(String(index))]
      if (pick === 'prompt') return [accepted(`p${index}`)]
      if (pick === 'much') return Array.from({ length: 15 }, (_, n) => said(`${index}-${n}`))
      const next = left[pick % left.length]?.shift()
      return next ? [next] : []
    })
    return events.slice(-100).map((event, index) => ({ seq: index + 1, turn: 1, at: 0, event }))
  })

/** As a report shows it. */
function shownOf(events: readonly StoredEvent[]) {
  const last = lastInteractionSeq(events)
  const [newer, before] = [true, false].map((isNewer) => events.filter(({ seq }) => seq > last === isNewer))
  return recentActivity(newer ?? [], before)
}

test('what a few events show of the time since the last interaction is what a hundred show', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (all) => {
      const read = await readSinceInteraction(async (count) => all.slice(-count))
      expect(shownOf(read)).toEqual(shownOf(all))
    }),
    { numRuns: runs(2_000) },
  )
})

test('a few events are enough for a turn that goes from question to question', async () => {
  const calls = Array.from({ length: 30 }, (_, n) => String(n)).flatMap((id) => [
    used(id),
    opened(id, `tool-${id}`),
    { ...settled(id, allow), by: 'ann' },
    finished(id),
  ])
  const all = calls.map((event, index) => ({ seq: index + 1, turn: 1, at: 0, event }))
  const counts: number[] = []
  await readSinceInteraction(async (count) => {
    counts.push(count)
    return all.slice(-count)
  })
  expect(counts).toEqual([20])
})
