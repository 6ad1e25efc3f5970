import { expect, test } from 'vitest'
import type { Grant } from '../../../src/approvals/grants/grant.ts'
import { HomeGrants } from '../../../src/sessions/in-advance/home-grants.ts'
import { HubTime } from '../../../src/sessions/in-advance/hub-time.ts'
import { SessionGrants } from '../../../src/sessions/in-advance/session-grants.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession, aStep, GRANT } from '../../contracts/rows.ts'
import { asGrantId } from '../../rig/tools/ids.ts'

const grant = (id: string, fields: Partial<Grant> = {}): Grant => ({
  ...GRANT,
  id: asGrantId(id),
  rules: [{ id, effect: 'allow', tool: ['mcp__a__b'] }],
  ...fields,
})

function startGrants() {
  const over: string[] = []
  const wall = { now: 1_000 }
  const state = { turn: 1, inTurn: true }
  const home = new HomeGrants({
    time: new HubTime(
      () => wall.now,
      () => 0,
    ),
    onOver: ({ id }) => void over.push(id),
  })
  const grants = new SessionGrants(home, () => state)
  const ids = () => grants.list.rules.map(({ rule }) => rule.id)
  return { over, wall, state, home, grants, ids }
}

test('a session has its own grants, and those that hold for more than one, as soon as they are added', () => {
  const { home, grants, ids } = startGrants()
  const beside = new SessionGrants(home, () => ({ turn: 0, inTurn: false }))
  expect(ids()).toEqual([])
  grants.use([grant('own')])
  grants.add(grant('more'))
  grants.add(grant('wide', { scope: 'folder' }))
  expect(ids()).toEqual(['own', 'more', 'wide'])
  expect(beside.list.rules.map(({ rule }) => rule.id)).toEqual(['wide'])
  expect([grants.byId('wide')?.scope, grants.byId('none')]).toEqual(['folder', undefined])
  grants.add(grant('other', { scope: 'always' }))
  home.remove('wide')
  expect([ids(), beside.list.rules.length]).toEqual([['own', 'more', 'other'], 1])
})

test('rules are compiled once, and anew after each change', () => {
  const { home, grants } = startGrants()
  grants.use([grant('own')])
  const { list } = grants
  expect(grants.list).toBe(list)
  home.add(grant('wide', { scope: 'tree' }))
  const wider = grants.list
  expect(wider).not.toBe(list)
  grants.add(grant('more'))
  expect(grants.list).not.toBe(wider)
})

test('a hub begins with what earlier ones stored, and no earlier than that', async () => {
  const { home, grants, ids } = startGrants()
  const store = await openMemoryStore()
  await store.sessions.create(aSession())
  const stored = [grant('wide', { scope: 'always', at: 5_000 }), grant('later', { scope: 'tree', at: 7_000 })]
  await store.journal.append(aStep(1, { granted: [...stored, grant('own')] }))
  await home.load(store.grants)
  expect([ids(), grants.now()]).toEqual([['wide', 'later'], 7_000])
  grants.use([grant('own', { at: 9_000 })])
  expect(grants.now()).toBe(9_000)
})

test('what has reached its end is reported when it is used: by its time, or because its turn is over (asked for: 14)', () => {
  const { over, wall, state, grants } = startGrants()
  const turn = grant('turn', { scope: 'turn', rules: [{ id: 'turn', effect: 'allow', turn: 1 }] })
  grants.use([turn, grant('hour', { endsAt: 2_000 }), grant('ever')])
  const used = () => {
    over.length = 0
    return grants.list.rules.length > 0 && [...over]
  }
  expect(used()).toEqual([])
  state.inTurn = false
  expect(used()).toEqual(['turn'])
  Object.assign(state, { turn: 2, inTurn: true })
  expect(used()).toEqual(['turn'])
  wall.now = 1_999
  expect(used()).toEqual(['turn'])
  wall.now = 2_000
  expect(used()).toEqual(['turn', 'hour'])
  grants.use([grant('turn without rules', { scope: 'turn', rules: [] })])
  grants.add(grant('ever'))
  expect(used()).toEqual(['turn without rules'])
})
