import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DeviceNoticeSettings } from '../../../src/notices/device-notices.ts'
import type { NoticeMessage } from '../../../src/notices/notice.ts'
import { askingHub } from '../../rig/browser/asking-sessions.ts'
import { signedInDevice } from '../../rig/clients/device.ts'
import { pushService } from '../../rig/clients/push-service.ts'

const FOR_TESTS = { PLEXUS_PUSH_TO_LOOPBACK: '1' }

test('S51 R36: a question is sent to the push service of a device, once, signed and encrypted, and withdrawn with its answer, also by the next hub; a push service that hangs delays no answer and no other device, and a removed device is sent nothing', async () => {
  const [phone, tablet] = [await pushService(), await pushService()]
  const { hub, place, start } = await askingHub({}, FOR_TESTS)
  const on = async (name: string, { endpoint, p256dh, auth }: typeof phone.subscription) => {
    const choice = { reasons: ['question'], push: { endpoint, p256dh, auth } }
    return hub.call<DeviceNoticeSettings>('setNotices', choice, await signedInDevice(hub, name))
  }
  const { publicKey } = await on('phone', phone.subscription)
  await on('tablet', tablet.subscription)
  tablet.status = undefined
  expect((await stat(join(place.home, 'push.key'))).mode & 0o777).toBe(0o600)

  await start('web', 'Run: touch the-secret-file')
  const [first] = await phone.has(1)
  expect(first?.claims).toMatchObject({ publicKey, aud: new URL(phone.subscription.endpoint).origin })
  const shown = first?.message as Extract<NoticeMessage, { type: 'show' }>
  expect(shown.notice).toMatchObject({ title: 'web asks', body: 'It wants to use Bash.' })
  expect(JSON.stringify(phone.received)).not.toContain('secret')

  await tablet.has(1)
  await hub.kill('SIGKILL')
  const next = await place.start()
  await next.call('answer', { approvalId: shown.notice.tag, approve: false })
  const [, second] = await phone.has(2)
  expect(second).toMatchObject({
    message: { type: 'withdraw', tag: shown.notice.tag },
    headers: { topic: first?.headers['topic'] },
    claims: { publicKey },
  })

  await next.call('removeDevice', { name: 'phone' })
  tablet.answer(201)
  await next.call('startTurn', { sessionId: 'web', content: 'Run: touch other' })
  // That of the tablet shows that the hub has sent what it sends.
  await tablet.has(3)
  expect(phone.received).toHaveLength(2)
})

test('S51: a device cannot make the hub call into its network, nor keep what is no subscription', async () => {
  const { hub } = await askingHub()
  const headers = await signedInDevice(hub, 'phone')
  const { p256dh, auth } = (await pushService()).subscription
  const problemOf = (push: object) =>
    hub.call('setNotices', { reasons: ['question'], push }, headers).then(
      () => 'taken',
      (error: Error) => error.message,
    )
  for (const endpoint of [
    'http://127.0.0.1:1/',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://nas.local/',
  ])
    expect(await problemOf({ endpoint, p256dh, auth })).toMatch(/^The address of a push service/)
  const endpoint = 'https://push.example.com/1'
  expect(await problemOf({ endpoint, p256dh: auth, auth })).toContain('subscribe again')
  expect(await problemOf({ endpoint, p256dh })).toMatch(/auth/)
  expect(await hub.call('readNotices', {}, headers)).toMatchObject({ reasons: [], isPushed: false })
})
