import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isForPerson, noticeOfEnd, noticeOfExpiry, noticeOfQuestion } from '../../src/notices/notice.ts'
import { HIDDEN } from '../../src/text/visible-text.ts'
import { anApproval } from '../contracts/rows.ts'

const KINDS = ['tool', 'plan', 'question', 'form'] as const
const text = fc.string({ unit: 'binary', maxLength: 300 })

test('S51: whatever a session and a tool are called, a notice is short, hides nothing and has nothing of the input', () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom(...KINDS), (name, toolName, kind) => {
      const asked = anApproval({
        kind,
        toolName,
        input: { command: 'the-secret-input' },
        reason: 'secret too',
      })
      for (const notice of [
        noticeOfQuestion({ id: 's1', name }, asked),
        noticeOfExpiry({ id: 's1', name }, { ...asked, expiresAt: 5 }),
        noticeOfEnd({ id: 's1', name, status: 'done', turn: 1 }),
      ]) {
        const shown = `${notice?.title} ${notice?.body}`
        expect(shown.match(HIDDEN)).toBeNull()
        expect(shown).not.toContain('\n')
        expect(JSON.stringify(notice).length).toBeLessThan(3_000)
        expect(JSON.stringify(notice)).not.toContain('secret')
      }
    }),
  )
})

test('a session without a name is named by the beginning of its id', () => {
  const id = '0b0e8f0a-1111-4222-8333-444455556666'
  expect(noticeOfQuestion({ id }, anApproval())).toMatchObject({ title: '0b0e8f0a asks' })
})

test('a question that a model is to answer is for a person only when the model leaves it open', () => {
  const open = { openedAt: 1_000 }
  const at = (session: Parameters<typeof isForPerson>[0], now: number) => isForPerson(session, open, now)
  expect(at({ timeoutMs: 0 }, 1_000)).toBe(true)
  for (const asker of [{ timeoutMs: 300_000 }, { timeoutMs: 0, parentId: 'p' }]) {
    expect([at(asker, 20_999), at(asker, 21_000)]).toEqual([false, true])
    expect(at({ ...asker, answerers: 'person' }, 1_000)).toBe(true)
    expect(at({ ...asker, ask: 'both' }, 1_000)).toBe(true)
  }
})
