import { expect, test } from 'vitest'
import { Devices } from '../../src/devices/devices.ts'
import { freeDeviceName, isActive, usedNow } from '../../src/devices/device.ts'
import { callerIdOf } from '../../src/callers/caller.ts'
import { hashOfToken } from '../../src/callers/token-hash.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { refusalOf } from '../contracts/refusal.ts'
import { CALLERS } from '../rig/clients/family.ts'

const { operator, owner } = CALLERS
const aModel = { ...operator, person: false }
const DAY = 86_400_000
const ADDRESSES = { local: () => 'http://127.0.0.1:1', proxied: 'https://box.example.net' }

async function someDevices() {
  const clock = { time: 5 * DAY, now: () => clock.time }
  const { callers, notices } = await openMemoryStore()
  const devices = new Devices({ callers, notices }, clock, ADDRESSES)
  return { clock, callers, notices, devices }
}

async function signedIn(devices: Devices, label = 'laptop') {
  const { code } = devices.invite(operator, { scope: 'operate', confirm: false })
  const result = await devices.signIn(code, label, 'this machine')
  if (result.status !== 'signed_in') throw new Error('not signed in')
  return result
}

test('S5: a code gives a device a token of its own, of which only the hash is stored', async () => {
  const { devices, callers } = await someDevices()
  const { token, device } = await signedIn(devices)
  const record = await callers.byTokenHash(hashOfToken(token))
  expect(record).toMatchObject({ kind: 'device', name: 'laptop', scopes: ['operate'] })
  expect(JSON.stringify(record)).not.toContain(token)
  expect(device).toMatchObject({ name: 'laptop', scope: 'operate', endsAt: 35 * DAY })
})

test('the code of a link stands in its fragment, which no server is sent', async () => {
  const { devices } = await someDevices()
  const { code, url, proxiedUrl } = devices.invite(operator, { scope: 'read', confirm: true })
  expect([url, proxiedUrl]).toEqual([`http://127.0.0.1:1/#c=${code}`, `https://box.example.net/#c=${code}`])
  expect(devices.invite(operator, { scope: 'read', confirm: false })).not.toHaveProperty('proxiedUrl')
})

test('S5: only the operator manages devices, and only a person adds one', async () => {
  const { devices } = await someDevices()
  const invite = (caller: typeof operator | typeof owner) =>
    refusalOf(new Promise((resolve) => resolve(devices.invite(caller, { scope: 'read', confirm: false }))))
  for (const caller of [aModel, owner, CALLERS['device that operates'], CALLERS.itself])
    expect(await invite(caller)).toMatchObject({ code: 'forbidden' })
  for (const caller of [owner, CALLERS['device that operates']])
    expect(await refusalOf(devices.list(caller))).toMatchObject({ code: 'forbidden' })
})

test('S38: who watches for removed devices is called when the token is no longer valid', async () => {
  const { devices, callers } = await someDevices()
  const { token } = await signedIn(devices, 'phone')
  const revoked: boolean[] = []
  devices.onRemoved(() => {
    void callers
      .byTokenHash(hashOfToken(token))
      .then((record) => revoked.push(record?.revokedAt !== undefined))
  })
  expect(revoked).toEqual([])
  await devices.remove(operator, 'phone')
  expect(revoked).toEqual([true])
})

test('a removed device is gone, and its name can be used again', async () => {
  const { devices, callers, clock } = await someDevices()
  const { token } = await signedIn(devices, 'phone')
  expect(await devices.list(operator)).toMatchObject([{ name: 'phone' }])
  await devices.remove(operator, 'phone')
  const record = await callers.byTokenHash(hashOfToken(token))
  expect(record && isActive(record, clock.time)).toBe(false)
  expect(await devices.list(operator)).toEqual([])
  expect((await signedIn(devices, 'phone')).device.name).toBe('phone')
  expect(await refusalOf(devices.remove(operator, 'tablet'))).toMatchObject({ code: 'not_found' })
})

test('S51: the notices of a device end with it, and the next device of its name begins without', async () => {
  const { devices, notices, clock } = await someDevices()
  const device = callerIdOf('device', 'phone')
  const choose = () => notices.put({ device, reasons: ['question'] })
  await signedIn(devices, 'phone')
  await choose()
  await devices.remove(operator, 'phone')
  expect(await notices.list()).toEqual([])
  await signedIn(devices, 'phone')
  await choose()
  clock.time += 31 * DAY
  await signedIn(devices, 'phone')
  expect(await notices.list()).toEqual([])
})

test('a device ends after 30 days without use; each use begins them again', async () => {
  const { devices, callers, clock } = await someDevices()
  const { token } = await signedIn(devices)
  const record = async () => {
    const found = await callers.byTokenHash(hashOfToken(token))
    if (!found) throw new Error('no record')
    return found
  }
  clock.time += 29 * DAY
  const used = usedNow(await record(), clock.time)
  if (used) await callers.put(used)
  clock.time += 29 * DAY
  expect(isActive(await record(), clock.time)).toBe(true)
  expect(usedNow({ ...(await record()), lastSeenAt: clock.time - 1_000 }, clock.time)).toBeUndefined()
  clock.time += DAY
  expect(isActive(await record(), clock.time)).toBe(false)
})

test('a device that needs confirmation has no token before a person has compared the numbers', async () => {
  const { devices } = await someDevices()
  const { code } = devices.invite(operator, { scope: 'answer', confirm: true })
  expect(await devices.pairing(operator, code, { seconds: 0 })).toEqual({ status: 'open' })
  const waiting = devices.pairing(operator, code, { seconds: 30 })
  const claim = await devices.signIn(code, 'phone', 'another machine')
  if (claim.status !== 'confirm') throw new Error('no confirmation')
  expect(await waiting).toEqual({ status: 'claimed', number: claim.number, label: 'phone' })
  expect(await devices.confirmedSignIn(claim.secret, 0)).toEqual({ status: 'waiting' })
  expect(await devices.list(operator)).toEqual([])
  const answered = devices.confirmedSignIn(claim.secret, 30)
  devices.confirm(operator, code, true)
  expect(await answered).toMatchObject({ status: 'signed_in', device: { scope: 'answer' } })
})

test('a device whose number is another gets nothing', async () => {
  const { devices } = await someDevices()
  const { code } = devices.invite(operator, { scope: 'answer', confirm: true })
  const claim = await devices.signIn(code, 'phone', 'another machine')
  if (claim.status !== 'confirm') throw new Error('no confirmation')
  devices.confirm(operator, code, false)
  expect(await devices.confirmedSignIn(claim.secret, 0)).toEqual({ status: 'refused' })
  expect(await devices.list(operator)).toEqual([])
})

test.each([
  ['phone', [], 'phone'],
  ['phone', ['phone', 'phone 2'], 'phone 3'],
  ['', [], 'browser'],
  ['\u001B[31m<b>evil\u202E', [], '31mbevil'],
  ['x'.repeat(100), [], 'x'.repeat(40)],
])('a device that is called %j is named %#', (label, taken, name) => {
  expect(freeDeviceName(label, taken)).toBe(name)
})
