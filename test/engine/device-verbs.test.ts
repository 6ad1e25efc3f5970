import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { Devices } from '../../src/devices/devices.ts'
import { deviceVerbs } from '../../src/engine/device-verbs.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { CALLERS } from '../rig/clients/family.ts'

const call = { caller: CALLERS.operator }

async function verbs() {
  const devices = new Devices(await openMemoryStore(), systemClock, { local: () => '', proxied: undefined })
  return { devices, ...deviceVerbs({ devices }) }
}

test('a browser at this machine signs in with its code alone, and has the scope that was given', async () => {
  const { devices, inviteDevice, listDevices, removeDevice } = await verbs()
  const { code } = await inviteDevice(call, { scope: 'answer' })
  expect(await devices.signIn(code, 'laptop', 'this machine')).toMatchObject({ status: 'signed_in' })
  expect(await listDevices(call, {})).toMatchObject([{ name: 'laptop', scope: 'answer' }])
  await removeDevice(call, { name: 'laptop' })
  expect(await listDevices(call, {})).toEqual([])
})

test.each([
  ['accept', 'signed_in'],
  ['refuse', 'refused'],
] as const)('a phone waits for a person, and by %s it is %s', async (decision, status) => {
  const { devices, inviteDevice, awaitDevice, confirmDevice } = await verbs()
  const { code } = await inviteDevice(call, { scope: 'read', confirm: true })
  expect(await awaitDevice(call, { code, seconds: 0 })).toEqual({ status: 'open' })
  const claimed = awaitDevice(call, { code, seconds: 60 })
  const claim = await devices.signIn(code, 'phone', 'this machine')
  if (claim.status !== 'confirm') throw new Error('It does not wait.')
  expect(await claimed).toMatchObject({ status: 'claimed', number: claim.number, label: 'phone' })
  await confirmDevice(call, { code, decision })
  expect(await devices.confirmedSignIn(claim.secret, 0)).toMatchObject({ status })
})

test('a wait for a device ends with its signal', async () => {
  const { inviteDevice, awaitDevice } = await verbs()
  const { code } = await inviteDevice(call, { scope: 'read', confirm: true })
  const gone = { ...call, signal: AbortSignal.abort() }
  expect(await awaitDevice(gone, { code, seconds: 600 })).toEqual({ status: 'open' })
})

test('a hub without a page has no devices and no notices', async () => {
  const { listDevices, readNotices } = deviceVerbs({})
  for (const work of [listDevices(call, {}), readNotices(call, {})])
    await expect(work).rejects.toMatchObject({ code: 'invalid_input' })
})
