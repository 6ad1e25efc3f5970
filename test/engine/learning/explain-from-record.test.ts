import { describe, expect, test } from 'vitest'
import type { RecordEntry } from '../../../src/audit/record-row.ts'
import { explainFromRecord } from '../../../src/engine/learning/explain-from-record.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession } from '../../contracts/rows.ts'

const RULE = { effect: 'ask', drawer: 'rules', ruleId: 'asks' } as const
const row = (kind: RecordEntry['kind'], body: object, at = 5): RecordEntry => ({
  kind,
  at,
  body: { ...body },
})
const asked = (approvalId: string, more: object = {}) => row('asked', { session: 's1', approvalId, ...more })
const settled = (approvalId: string, more: object = {}) =>
  row('settled', { session: 's1', approvalId, status: 'denied', ...more }, 7)
const started = row('session-started', { session: 's1' })
const removed = row('session-removed', { session: 's1', name: 'web' })

async function explainer(...rows: RecordEntry[]) {
  const store = await openMemoryStore()
  await store.record.append(rows)
  return { store, explain: (named: string) => explainFromRecord(store, named) }
}

const form = (more: object) => settled('a', { question: 'form', via: 'form', ...more })

const endOfForm = async (more: object) => {
  const { explain } = await explainer(form(more))
  return (await explain('a'))?.end
}

describe('the record explains a question', () => {
  test('by its id, or the number of a row about it', async () => {
    const { explain } = await explainer(
      started,
      asked('a', { verdict: RULE }),
      settled('a', { by: 'ann', via: 'page' }),
      asked('b'),
    )
    const denied = {
      source: 'record',
      approvalId: 'a',
      status: 'denied',
      at: 7,
      end: 'denied',
      by: 'ann',
      via: 'page',
      verdict: RULE,
    }
    expect(await Promise.all(['a', '2', '3'].map(explain))).toEqual([denied, denied, denied])
    const open = { source: 'record', approvalId: 'b', status: 'asked', at: 5 }
    expect(await Promise.all(['b', '4'].map(explain))).toStrictEqual([open, open])
  })

  test('by the rule that decided it, before that which had it asked', async () => {
    const decided = { effect: 'deny', drawer: 'rules', ruleId: 'denies' } as const
    const { explain } = await explainer(asked('a', { verdict: RULE }), settled('a', { verdict: decided }))
    expect(await explain('a')).toMatchObject({ verdict: decided })
  })

  test('without what a row does not say as it should', async () => {
    const { explain } = await explainer(
      asked('a', { verdict: { effect: 'maybe' } }),
      settled('a', { by: 7, via: ['page'], verdict: 'yes' }),
    )
    expect(await explain('a')).toStrictEqual({
      source: 'record',
      approvalId: 'a',
      status: 'denied',
      at: 7,
      end: 'denied',
    })
  })

  test('and says nothing of what it does not have', async () => {
    const { explain } = await explainer(started, asked('a'))
    for (const named of ['none', '0', '01', '9', '2x', 'web.1', '1'])
      expect(await explain(named)).toBeUndefined()
  })

  test('by how its form was answered', async () => {
    expect(await endOfForm({ behavior: 'form', action: 'decline' })).toBe('declined')
    expect(await endOfForm({ behavior: 'form', action: 'cancel' })).toBe('dismissed')
    expect(await endOfForm({ behavior: 'form', action: 'close' })).toBe('declined')
    expect(await endOfForm({ behavior: 'deny', action: 'cancel' })).toBe('declined')
    expect(await endOfForm({ question: 7 })).toBe('denied')
  })
})

describe('the record explains NAME.N', () => {
  test('of a session that is there, and of one that was removed', async () => {
    const { store, explain } = await explainer(started, asked('first'), asked('second'), removed)
    expect((await explain('web.1'))?.approvalId).toBe('first')
    expect((await explain('web.2'))?.approvalId).toBe('second')
    expect(await explain('web.3')).toBeUndefined()
    expect(await explain('api.1')).toBeUndefined()
    await store.sessions.create(aSession({ id: 's2', name: 'web' }))
    await store.record.append([
      row('session-started', { session: 's2' }),
      row('asked', { session: 's2', approvalId: 'of the new one' }),
    ])
    expect((await explain('web.1'))?.approvalId).toBe('of the new one')
  })

  test('not where the beginning of the session was cut: then nobody knows which was its first', async () => {
    const { explain } = await explainer(asked('third'), removed)
    expect(await explain('web.1')).toBeUndefined()
  })

  test.each([499, 500, 501, 1_000])('also where it asked %i times before', async (count) => {
    const before = Array.from({ length: count }, (_, n) => asked(`a${n}`))
    const { explain } = await explainer(started, ...before, asked('last'), removed)
    expect((await explain(`web.${count + 1}`))?.approvalId).toBe('last')
    expect((await explain(`web.${count}`))?.approvalId).toBe(`a${count - 1}`)
    expect(await explain(`web.${count + 2}`)).toBeUndefined()
  })
})

const end = (words: string, status: string) => ({
  source: 'record',
  approvalId: '',
  status,
  at: 5,
  end: words,
})

test('the record explains a call that was no question by the number of its row', async () => {
  const { explain } = await explainer(
    row('unasked', { session: 's1', rule: 'Bash(make *)' }),
    row('hook-denied', { session: 's1', verdict: RULE }),
    row('refused', { session: 's1' }),
    removed,
  )
  expect(await Promise.all(['1', '2', '3', '4'].map(explain))).toStrictEqual([
    { ...end('a call that ran without a question', 'unasked'), by: 'Bash(make *)' },
    { ...end('a call that was denied without a question', 'hook-denied'), verdict: RULE },
    end('a call that Claude Code refused', 'refused'),
    undefined,
  ])
})
