import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isExpiring,
  isForPerson,
  noticeOfEnd,
  noticeOfExpiry,
  noticeOfQuestion,
} from '../../src/notices/notice.ts'
import { NoticeChoice } from '../../src/notices/notice-settings.ts'
import { visibleText } from '../../src/text/visible-text.ts'
import { anApproval, aSession } from '../contracts/rows.ts'
import { codePoint } from '../rig/tools/code-point.ts'

const KINDS = ['tool', 'plan', 'question', 'form'] as const
const text = fc.string({ unit: codePoint, maxLength: 300 })

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
        expect(visibleText(shown)).toBe(shown)
        expect(shown).not.toContain('\n')
        expect(JSON.stringify(notice).length).toBeLessThan(3_000)
        expect(JSON.stringify(notice)).not.toContain('secret')
      }
    }),
  )
})

test('S51: a session without a name is named by its folder and the beginning of its id, and never by its prompt', () => {
  const id = '0b0e8f0a-1111-4222-8333-444455556666'
  const session = aSession({ id, workingDirectory: '/home/me/app', title: 'Use the secret', status: 'done' })
  for (const [notice, title] of [
    [noticeOfQuestion(session, anApproval()), 'app 0b0e8f0a asks'],
    [noticeOfExpiry(session, { ...anApproval(), expiresAt: 5 }), 'app 0b0e8f0a still asks'],
    [noticeOfEnd(session), 'app 0b0e8f0a is done'],
  ] as const) {
    expect(notice?.title).toBe(title)
    expect(JSON.stringify(notice)).not.toContain('secret')
  }
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

const asked = (kind: 'tool' | 'plan' | 'question' | 'form' | 'budget') =>
  anApproval({ kind, toolName: 'Bash' })

const title = (length: number) =>
  noticeOfQuestion({ id: 's1', name: 'a'.repeat(length) }, asked('plan')).title

describe('a notice says', () => {
  const web = { id: 's1', name: 'web' }

  test.each([
    ['tool', 'It wants to use Bash.'],
    ['plan', 'It has a plan to approve.'],
    ['question', 'It has a question.'],
    ['form', 'It wants a form filled in (Bash).'],
  ] as const)('what is asked: %s', (kind, body) => {
    const question = asked(kind)
    const { id, inputSha256 } = question
    expect(noticeOfQuestion(web, question)).toEqual({
      key: id,
      tag: id,
      reason: 'question',
      title: 'web asks',
      body,
      sessionId: 's1',
      question: { id, inputSha256 },
    })
  })

  test('that most of a budget is used, with nothing to deny', () => {
    const question = asked('budget')
    expect(noticeOfQuestion(web, question)).toEqual({
      key: question.id,
      tag: question.id,
      reason: 'budget',
      title: 'web has used most of its budget',
      body: 'Raise it, continue, or stop? The work continues meanwhile.',
      sessionId: 's1',
    })
  })

  test('that a question soon expires, once for each time limit, in the place of the first notice', () => {
    const question = { ...asked('tool'), expiresAt: 7 }
    expect(noticeOfExpiry(web, question)).toMatchObject({
      key: `${question.id} 7`,
      tag: question.id,
      reason: 'expiring',
      title: 'web still asks',
      body: 'It wants to use Bash. Without an answer it soon expires.',
    })
  })

  const ended = (status: string, parentId?: string) => noticeOfEnd({ ...web, status, turn: 3, parentId })

  test('how a turn ended; not of a session that another one started, and not of any other state', () => {
    const both = { key: 's1 3', tag: 's1', sessionId: 's1' }
    expect(ended('done')).toEqual({
      ...both,
      reason: 'done',
      title: 'web is done',
      body: 'Its turn has ended.',
    })
    expect(ended('failed')).toEqual({
      ...both,
      reason: 'failed',
      title: 'web failed',
      body: 'Its turn has failed.',
    })
    for (const status of ['running', 'interrupted', 'idle']) expect(ended(status)).toBeUndefined()
    expect([ended('done', 'p'), ended('failed', 'p')]).toEqual([undefined, undefined])
  })

  test('at most 60 characters of a name', () => {
    expect([title(60), title(61)]).toEqual([`${'a'.repeat(60)} asks`, `${'a'.repeat(60)}… asks`])
  })
})

const at = (now: number) => isExpiring({ openedAt: 1_000, expiresAt: 2_000 }, now)

test('a question is about to expire when a fifth of its time is left; one without a limit never is', () => {
  expect([at(1_000), at(1_799), at(1_800), at(2_500)]).toEqual([false, false, true, true])
  expect(isExpiring({ openedAt: 1_000 }, 9e12)).toBe(false)
})

const isValid = (choice: object) => NoticeChoice.safeParse(choice).success

describe('the choice of a device', () => {
  const push = { endpoint: 'https://push.example/x', p256dh: 'aB3-_', auth: 'aB3-_==' }
  const withPush = (change: object) => isValid({ reasons: [], push: { ...push, ...change } })

  test('is reasons, and the subscription of its browser', () => {
    expect(isValid({ reasons: [] })).toBe(true)
    expect(isValid({ reasons: ['question', 'done'], push })).toBe(true)
    expect(isValid({ reasons: ['other'] })).toBe(false)
    expect(isValid({ reasons: Array(6).fill('done') })).toBe(false)
    expect(isValid({ reasons: [], more: 1 })).toBe(false)
    expect(isValid({})).toBe(false)
  })

  test.each([
    { p256dh: '' },
    { p256dh: 'a b' },
    { p256dh: 'a===' },
    { auth: '+/' },
    { auth: 'a=b' },
    { p256dh: 'a'.repeat(101) },
    { auth: 'a'.repeat(51) },
    { endpoint: 'a'.repeat(1_001) },
    { endpoint: 1 },
    { more: 1 },
  ])('is refused with %j', (change) => {
    expect(withPush(change)).toBe(false)
    expect(withPush({})).toBe(true)
  })
})
