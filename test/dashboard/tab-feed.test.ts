import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Following,
  heard,
  joined,
  nextAction,
  passedOn,
  type TabMessage,
} from '../../dashboard/src/hub/tabs/tab-feed.ts'
import type { FollowedPage, FollowedStep } from '../../src/engine/follow-all.ts'
import { asSessionId } from '../rig/tools/ids.ts'

const sessionId = asSessionId('3f1c1c64-9a0c-4f3e-8d5c-6f0d9b1f2a10')
const stepAt = (position: number): FollowedStep => ({ position, sessionId, events: [] })
const pageOf = (from: number, to: number): FollowedPage => ({
  steps: Array.from({ length: to - from }, (_, index) => stepAt(from + index + 1)),
  position: to,
})
const at = (position: number | undefined): Following => ({ position, heardAt: 0 })
const positions = (page: FollowedPage | undefined) => page?.steps.map(({ position }) => position)

test('a tab that joins begins where the tab that leads is, and reads the state itself', () => {
  expect(heard(at(undefined), { type: 'here', position: 7 }, 1)).toEqual({
    following: { position: 7, heardAt: 1 },
    page: { steps: [], position: 7 },
  })
  const { page } = heard(at(undefined), { type: 'page', after: 5, page: pageOf(5, 7) }, 1)
  expect(page).toEqual({ steps: [], position: 7 })
})

test('a tab that leads and has no answer of the hub yet is there, and says no position', () => {
  expect(heard(at(7), { type: 'here' }, 1)).toEqual({ following: { position: 7, heardAt: 1 } })
})

test('what continues from where a tab is reaches it as it is', () => {
  const { following, page } = heard(at(5), { type: 'page', after: 5, page: pageOf(5, 7) }, 1)
  expect([positions(page), page?.missed, following.position]).toEqual([[6, 7], undefined, 7])
})

test('what a tab already has is left out, when the tab that leads now was behind it', () => {
  const { page } = heard(at(6), { type: 'page', after: 4, page: pageOf(4, 8) }, 1)
  expect([positions(page), page?.missed]).toEqual([[7, 8], undefined])
  expect(heard(at(6), { type: 'page', after: 3, page: pageOf(3, 5) }, 1)).toEqual({
    following: { position: 6, heardAt: 1 },
  })
})

test('a tab that finds itself behind says that it missed something', () => {
  expect(heard(at(5), { type: 'page', after: 6, page: pageOf(6, 7) }, 1).page?.missed).toBe(true)
  expect(heard(at(5), { type: 'here', position: 6 }, 1).page).toEqual({
    steps: [],
    position: 6,
    missed: true,
  })
})

test('a hub with another database is begun with anew', () => {
  const lost: FollowedPage = { steps: [], position: 2, missed: true }
  const { following, page } = heard(at(90), { type: 'page', after: 90, page: lost }, 1)
  expect([following.position, page]).toEqual([2, lost])
  expect(heard(at(90), { type: 'here', position: 2 }, 1)).toMatchObject({
    following: { position: 2 },
    page: { missed: true },
  })
})

test('a tab leads when nobody answers it for two seconds; who is seen asks after five of silence', () => {
  const asked = joined(undefined, 1_000)
  expect([nextAction(asked, 2_999, true), nextAction(asked, 3_000, false)]).toEqual([undefined, 'lead'])
  const { following } = heard(asked, { type: 'here' }, 2_000)
  expect([nextAction(following, 6_999, true), nextAction(following, 7_000, true)]).toEqual([undefined, 'ask'])
  expect(nextAction(following, 60_000, false)).toBeUndefined()
})

const TABS = 3
const tab = fc.nat(TABS - 1)
const count = fc.integer({ min: 1, max: 3 })
const move = fc.oneof(
  fc.record({ type: fc.constantFrom('happen', 'read'), count }),
  fc.record({ type: fc.constant('deliver'), tab, sender: tab }),
  fc.record({ type: fc.constantFrom('lead', 'lose'), tab }),
  fc.record({ type: fc.constant('sign') }),
)
type Move = {
  readonly type: string
  readonly count?: number
  readonly tab?: number
  readonly sender?: number
}

/** Tabs of one device. Who leads reads the hub from where it is; what one says arrives in order, what two say in any. */
class Tabs {
  newest = 0
  #leader = 0
  #reached: number | undefined
  readonly followings = Array.from({ length: TABS }, () => at(undefined))
  readonly #inboxes = Array.from({ length: TABS }, () => noMessages())
  /** The last step that each has applied, or read with the state. */
  readonly #known: (number | undefined)[] = []

  run({ type, count: times = 0, tab: named = 0, sender = 0 }: Move): void {
    if (type === 'happen') this.newest += times
    if (type === 'read') this.#read(times)
    if (type === 'deliver') this.#deliver(named, sender)
    if (type === 'lead') this.#lead(named)
    if (type === 'sign') this.#send({ type: 'here', position: this.#reached })
    // A tab that was frozen and joins again hears nothing of what was said meanwhile.
    if (type === 'lose') this.#inboxes[named] = noMessages()
  }

  /** The leader has read everything, all that was said is heard, and the leader says where it is. */
  settle(): void {
    do this.#read(100)
    while (this.#reached !== this.newest)
    for (let named = 0; named < TABS; named++)
      for (let sender = 0; sender < TABS; sender++)
        while (this.#inboxes[named]?.[sender]?.length) this.#deliver(named, sender)
    this.#send({ type: 'here', position: this.#reached })
    for (let named = 0; named < TABS; named++) this.#deliver(named, this.#leader)
  }

  #lead(named: number): void {
    if (named === this.#leader) return
    this.#leader = named
    this.#reached = undefined
    this.#send({ type: 'here' })
  }

  #read(times: number): void {
    const position = this.followings[this.#leader]?.position
    const from = position ?? this.newest
    const page = pageOf(from, Math.min(from + times, this.newest))
    this.#send(passedOn(position, page))
    this.#apply(this.#leader, page)
    this.followings[this.#leader] = at(page.position)
    this.#reached = page.position
  }

  #deliver(named: number, sender: number): void {
    const message = this.#inboxes[named]?.[sender]?.shift()
    // Who leads hears only whether another asks.
    if (!message || message.type === 'where' || named === this.#leader) return
    const { following, page } = heard(this.followings[named] ?? at(undefined), message, 0)
    this.followings[named] = following
    if (page) this.#apply(named, page)
  }

  #send(message: TabMessage): void {
    for (const inbox of this.#inboxes) inbox[this.#leader]?.push(message)
  }

  #apply(named: number, { steps, position, missed }: FollowedPage): void {
    // The state is read: all that has happened before these steps is in it.
    const isRead = this.#known[named] === undefined || missed
    let known = isRead ? position - steps.length : this.#known[named]
    for (const step of steps) {
      if (step.position !== (known ?? 0) + 1) throw new Error(`After step ${known} came ${step.position}.`)
      known = step.position
    }
    this.#known[named] = known
    if (known !== position) throw new Error(`The page ends at ${position}, its steps at ${known}.`)
  }
}

function noMessages(): TabMessage[][] {
  return Array.from({ length: TABS }, () => [])
}

test('whoever leads, whenever that changes and however messages cross: no tab misses a step in silence or has one twice', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
      const all = new Tabs()
      for (const each of moves) all.run(each)
      all.settle()
      for (const { position } of all.followings) expect(position).toBe(all.newest)
    }),
  )
})
