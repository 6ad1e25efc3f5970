import { expect, test } from 'vitest'
import { lastInteractionSeq, reportSession } from '../../../src/api/claude/session-report.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { accepted, allow, opened, said, settled } from '../../rig/cli/event-stories.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'
import { asGrantId } from '../../rig/tools/ids.ts'

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
