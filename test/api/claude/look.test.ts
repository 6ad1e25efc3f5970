import { expect, test } from 'vitest'
import { lookAt } from '../../../src/api/claude/look.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/family.ts'

test('a session whose question is answered while it is looked at is not told to wait for nothing', async () => {
  const { engine } = (await aFamily()).app
  const who = { caller: CALLERS.operator }
  const answered: Engine = {
    ...engine,
    getSession: async (...input) => {
      const session = await engine.getSession(...input)
      if (session.status === 'waiting') await engine.answer(who, { approvalId: QUESTION, approve: true })
      return session
    },
  }
  const told = await lookAt({ engine: answered, who }, { sessionId: CHILD, waitSeconds: 0 })
  expect(told.status).not.toBe('awaiting_input')
  expect(told).not.toHaveProperty('pendingQuestion')
})
