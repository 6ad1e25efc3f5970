import { expect, test } from 'vitest'
import { DeviceCodes } from '../../src/devices/device-codes.ts'
import { refusalOf } from '../contracts/refusal.ts'

const HERE = 'this machine'
const OPEN = { scope: 'operate', confirm: false } as const

function codes() {
  const clock = { time: 1_000, now: () => clock.time }
  return { clock, codes: new DeviceCodes(clock) }
}

const refused = (call: () => unknown) => refusalOf(new Promise((resolve) => resolve(call())))

test('S5: a code is taken once', async () => {
  const { codes: open } = codes()
  const { code } = open.issue(OPEN)
  expect(open.take(code, HERE)).toMatchObject(OPEN)
  expect(await refused(() => open.take(code, HERE))).toMatchObject({ code: 'forbidden' })
})

test('S5: a code ends after a minute', async () => {
  const { clock, codes: open } = codes()
  const [first, second] = [open.issue(OPEN), open.issue(OPEN)]
  clock.time += 59_999
  expect(open.take(first.code, HERE)).toMatchObject(OPEN)
  clock.time += 1
  const { message } = await refused(() => open.take(second.code, HERE))
  expect(message).toContain('plexus open')
})

test('S5: after five wrong codes every open one is void; a new one is good again', async () => {
  const { codes: open } = codes()
  const kept = open.issue(OPEN)
  for (let wrong = 0; wrong < 4; wrong++) await refused(() => open.take('wrong', HERE))
  expect(open.isOpen(kept.code)).toBe(true)
  await refused(() => open.take('wrong', HERE))
  expect(open.isOpen(kept.code)).toBe(false)
  expect(open.take(open.issue(OPEN).code, HERE)).toMatchObject(OPEN)
})

test('S5: a code can be checked without being used up; a wrong one counts as a try, and a leaked one is void', async () => {
  const { clock, codes: open } = codes()
  const [kept, leaked] = [open.issue(OPEN), open.issue(OPEN)]
  clock.time += 20_000
  expect(open.check(kept.code, HERE)).toBe(40_000)
  await refused(() => open.check(leaked.code, 'another machine'))
  await refused(() => open.take(leaked.code, HERE))
  expect(open.take(kept.code, HERE)).toMatchObject(OPEN)
  await refused(() => open.check(kept.code, HERE))
  const next = open.issue(OPEN)
  for (let wrong = 0; wrong < 5; wrong++) await refused(() => open.check('wrong', HERE))
  expect(open.isOpen(next.code)).toBe(false)
})

test('a wrong, a used and an expired code are refused in the same words', async () => {
  const { clock, codes: open } = codes()
  const [used, expired] = [open.issue(OPEN), open.issue(OPEN)]
  open.take(used.code, HERE)
  clock.time += 60_000
  const sentences = await Promise.all(
    ['wrong', used.code, expired.code].map(
      async (code) => (await refused(() => open.take(code, HERE))).message,
    ),
  )
  expect(new Set(sentences).size).toBe(1)
})

test('a claim is decided once, by its code, and its secret is good for one decision', async () => {
  const { codes: open } = codes()
  const invitation = open.issue({ scope: 'answer', confirm: true })
  const claim = open.claim(open.take(invitation.code, HERE), 'phone')
  expect(claim.number).toMatch(/^\d{6}$/)
  expect(open.takeClaim(claim.secret)).toMatchObject({ decision: 'open' })
  expect(open.decide(invitation.code, true)).toMatchObject({ decision: 'accepted', label: 'phone' })
  await refused(() => open.decide(invitation.code, false))
  expect(open.takeClaim(claim.secret)).toMatchObject({ decision: 'accepted' })
  await refused(() => open.takeClaim(claim.secret))
})

test('a claim that nobody decides ends', async () => {
  const { clock, codes: open } = codes()
  const invitation = open.issue({ scope: 'answer', confirm: true })
  const claim = open.claim(open.take(invitation.code, HERE), 'phone')
  clock.time += 120_000
  await refused(() => open.takeClaim(claim.secret))
  expect(open.claimOfCode(invitation.code)).toBeUndefined()
})

test('no more than twenty codes are open at a time', async () => {
  const { codes: open } = codes()
  for (let count = 0; count < 20; count++) open.issue(OPEN)
  expect(await refused(() => open.issue(OPEN))).toMatchObject({ code: 'busy' })
})

test('S5: from another machine only a code that needs confirmation is good; another one is void from then on', async () => {
  const { codes: open } = codes()
  const [leaked, paired] = [open.issue(OPEN), open.issue({ scope: 'answer', confirm: true })]
  const { message } = await refused(() => open.take(leaked.code, 'another machine'))
  expect(message).toContain('plexus pair')
  await refused(() => open.take(leaked.code, HERE))
  expect((await refused(() => open.take('wrong', 'another machine'))).message).toBe(message)
  expect(open.take(paired.code, 'another machine')).toMatchObject({ confirm: true })
})
