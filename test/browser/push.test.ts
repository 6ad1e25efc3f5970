import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'
import { grantNotices, ShownNotices } from '../rig/browser/shown-notices.ts'
import { type PushService, pushService } from '../rig/clients/push-service.ts'

/** The browser subscribes at our push service: its own one is on the internet. */
const subscribesAt = (service: PushService) => async (page: Page) => {
  await grantNotices(page)
  const { endpoint, p256dh, auth } = service.subscription
  const subscription = JSON.stringify({ endpoint, keys: { p256dh, auth } })
  await page.addInitScript(`
    const subscription = { toJSON: () => (${subscription}), unsubscribe: async () => true }
    let current = null
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
      if (!userVisibleOnly || applicationServerKey.length !== 87) throw new Error('no')
      return (current = subscription)
    }
    PushManager.prototype.getSubscription = async () => current`)
}

/** Hands what the push service received to the service worker, as the browser does. */
async function delivery(page: Page, url: string) {
  const session = await page.context().newCDPSession(page)
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(url))
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  return (message: unknown) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin: `${url}/`,
      registrationId,
      data: JSON.stringify(message),
    })
}

test('S51: with push on, a question reaches a browser whose page is closed, and its answer withdraws it there', async () => {
  const service = await pushService()
  const { hub, start } = await askingHub({}, { PLEXUS_PUSH_TO_LOOPBACK: '1' })
  const page = await signedInPage(hub, { prepare: subscribesAt(service), isRemembered: true })
  const notices = await ShownNotices.of(page)
  await page.getByRole('link', { name: 'Notices' }).click()
  await page.getByLabel('A session asks').check()
  const push = page.getByLabel('Send them through the push service of this browser')
  await push.and(page.locator(':enabled')).check()
  await page.getByLabel('A session failed').check()
  const deliver = await delivery(page, hub.url)
  // It arrives while the page is seen: the person sees the question there.
  const seen = { key: 'k', tag: 't', reason: 'question', title: 'seen', body: '', sessionId: 's' }
  await deliver({ type: 'show', notice: seen })
  await page.goto('about:blank')

  await start('web', 'Run: touch the-secret-file')
  const [first] = await service.has(1)
  expect(first?.headers['topic']).toMatch(/^[\w-]{32}$/)
  expect(JSON.stringify(first)).not.toContain('secret')
  await deliver(first?.message)
  const [notice] = await notices.has(1)
  expect(notice).toMatchObject({ title: 'web asks', actions: ['deny', 'review'] })
  // The same push again, as a push service may do.
  await deliver(first?.message)
  await hub.call('answer', { approvalId: notice?.tag, approve: false })
  const [, second] = await service.has(2)
  await deliver(second?.message)
  await notices.has(0)
  await deliver(first?.message)
  await deliver({ type: 'seen' })
  expect(await notices.count()).toBe(1)
})
