import { beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '../../../src/approvals/grants/grant.ts'
import { grantView, questionOf } from '../../../src/engine/grants/grant-view.ts'
import { grantNamed } from '../../../src/engine/grants/named-grant.ts'
import type { Rule } from '../../../src/rules/rule.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { anApproval, aSession, aStep, GRANT } from '../../contracts/rows.ts'
import { asApprovalId, asGrantId, asSessionId } from '../../rig/tools/ids.ts'

const EXACT = { toolName: 'Bash', subject: '{"command":"make"}', folder: '/code' }
const exact: Rule = { id: 'g', effect: 'allow', exact: EXACT, session: ['s1'] }
const suggested: Rule = { id: 'g', effect: 'allow', tool: ['Bash'], command: ['make *'], session: ['s1'] }
const grant = (fields: Partial<Grant> = {}): Grant => ({ ...GRANT, rules: [exact], ...fields })

let store: Store
beforeEach(async () => {
  store = await openMemoryStore()
  await store.sessions.create(aSession({ name: 'web' }))
  await store.sessions.create(aSession({ id: 'top', name: 'all' }))
  await store.sessions.create(aSession({ id: 'nameless' }))
  await store.journal.append(aStep(1, { opened: [anApproval({ number: 3 })] }))
})

describe('a grant is shown', () => {
  test('as the exact call that was remembered, with its scope', async () => {
    const view = await grantView(grant({ scope: 'turn' }), undefined)
    expect(view).toMatchObject({ id: 'g1', rule: { ...EXACT, rules: [], remember: 'turn' } })
    expect(view.texts).toEqual([expect.stringContaining('make')])
    expect(view).not.toHaveProperty('names')
    expect(view).not.toHaveProperty('question')
  })

  test('with the suggested rules beside the call, as the CLI writes them', async () => {
    const view = await grantView(grant({ rules: [exact, suggested] }), undefined)
    expect(view.rule).toEqual({ ...EXACT, rules: ['Bash(make *)'], remember: 'suggested' })
    expect(view.texts).toHaveLength(2)
  })

  test('without a call where an offered rule was remembered', async () => {
    const view = await grantView(grant({ rules: [suggested] }), undefined)
    expect(view.rule).toEqual({ toolName: '', subject: '', rules: ['Bash(make *)'], remember: 'session' })
  })

  test('with its question, and the names of all sessions that it is about', async () => {
    const rules = [{ ...exact, session: ['s1', 'nameless'], tree: ['top'] }]
    expect(await grantView(grant({ rules }), store)).toMatchObject({
      question: 'web.3',
      names: { s1: 'web', top: 'all' },
    })
    const everywhere = await grantView(grant({ rules: [{ id: 'g', effect: 'allow', exact: EXACT }] }), store)
    expect(everywhere.names).toEqual({ s1: 'web' })
    expect((await grantView(grant({ sessionId: asSessionId('nameless') }), store)).names).toEqual({
      s1: 'web',
    })
  })
})

const questionNow = (fields: Partial<Grant>) => questionOf(store, grant(fields))

test('the question of a grant is not named where the grant has none, it is gone, or its session is', async () => {
  expect(await questionNow({})).toBe('web.3')
  expect(await questionNow({ approvalId: undefined })).toBeUndefined()
  expect(await questionNow({ approvalId: asApprovalId('gone') })).toBeUndefined()
  expect(await questionNow({ sessionId: asSessionId('gone') })).toBeUndefined()
})

const of = (id: string, approvalId?: string) =>
  grant({ id: asGrantId(id), approvalId: approvalId === undefined ? undefined : asApprovalId(approvalId) })

describe('a person means a grant', () => {
  const GRANTS = [of('abcd1111-1', 'a1'), of('abcd2222-2', 'a2'), of('ef012345-3'), of('web.3 is its id')]

  test.each<[string, string, string | undefined]>([
    ['its question', 'web.3', 'abcd1111-1'],
    ['the id of its question', 'a2', 'abcd2222-2'],
    ['the beginning of its id', 'abcd1', 'abcd1111-1'],
    ['four characters of it', 'ef01', 'ef012345-3'],
    ['its whole id', 'ef012345-3', 'ef012345-3'],
    ['too few characters', 'ef0', undefined],
    ['what is in the middle of an id', '2345', undefined],
    ['what no id has', 'ef0123456', undefined],
    ['what is no beginning of an id', 'ef01 or so', undefined],
    ['what only begins like an id that is not one', 'web.3 is', undefined],
    ['nothing', '', undefined],
  ])('by %s', async (_, text, id) => {
    expect((await grantNamed(store, GRANTS, text))?.id).toBe(id)
  })

  test('and is asked for more of the id where several are called so', async () => {
    await expect(grantNamed(store, GRANTS, 'abcd')).rejects.toMatchObject({
      code: 'invalid_input',
      message: '2 grants are called abcd; use more of the id: abcd1111-1, abcd2222-2.',
    })
    const twice = [of('abcd1111-1', 'a1'), of('abcd2222-2', 'a1')]
    await expect(grantNamed(store, twice, 'web.3')).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('by its question first, also where that looks like the beginning of an id', async () => {
    const named = [of('1', 'abcd'), of('abcd1111-1', 'a1')]
    expect((await grantNamed(store, named, 'abcd'))?.id).toBe('1')
  })
})
