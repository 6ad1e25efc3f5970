import { signal } from '@preact/signals'
import type { DeviceNoticeSettings } from '../../../src/notices/device-notices.ts'
import type { NoticeReason } from '../../../src/notices/notice.ts'
import { hub } from '../hub/connection.ts'
import { isRemembered } from '../hub/device-token.ts'

/** What this device is notified of, as the hub has it; undefined until it was read. */
export const chosen = signal<DeviceNoticeSettings | undefined>(undefined)

export async function readChoice(): Promise<void> {
  const found = await hub.call('readNotices', {})
  chosen.value = found
  // A browser may end a subscription by itself, and the hub has then nobody to send to.
  const isLost = found.isPushed && Notification.permission === 'granted' && !(await currentSubscription())
  if (isLost) await choose(found.reasons, true)
}

/** Must be called from a click: the browser then asks its person. Throws a sentence if that fails. */
export async function choose(reasons: readonly NoticeReason[], isPushed: boolean): Promise<void> {
  if (reasons.length > 0) await requirePermission()
  const push = isPushed && reasons.length > 0 ? await subscribed() : undefined
  // The subscription is of the whole browser: that of another device in it is not touched.
  const endsPush = !push && chosen.peek()?.isPushed
  chosen.value = await hub.call('setNotices', { reasons: [...reasons], ...(push ? { push } : {}) })
  if (endsPush) await (await currentSubscription())?.unsubscribe()
}

/** Why this browser cannot show notices at all; undefined if it can. */
export function noticesProblem(): string | undefined {
  if (!('Notification' in window) || !('serviceWorker' in navigator))
    return 'This browser shows no notices here. On an iPhone or iPad, add this page to the home screen first.'
  if (Notification.permission === 'denied')
    return 'This browser does not let this page show notices. Its settings for this page can change that.'
  return undefined
}

/** Why notices cannot be sent while the page is closed; undefined if they can. */
export function pushProblem(): string | undefined {
  if (!isRemembered())
    return 'Only a browser that is remembered gets notices while this page is closed: sign in again, and choose to be remembered.'
  return 'PushManager' in window ? undefined : 'This browser has no push messages.'
}

async function requirePermission(): Promise<void> {
  const problem = noticesProblem()
  if (problem !== undefined) throw new Error(problem)
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('The browser was not allowed to show notices, so nothing was switched on.')
}

async function currentSubscription(): Promise<PushSubscription | null> {
  if (!('PushManager' in window)) return null
  return (await navigator.serviceWorker.ready).pushManager.getSubscription()
}

async function subscribed(): Promise<{ endpoint: string; p256dh: string; auth: string }> {
  const problem = pushProblem()
  if (problem !== undefined) throw new Error(problem)
  const { publicKey: applicationServerKey } = chosen.peek() ?? (await hub.call('readNotices', {}))
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey }
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // One that was made with the key of another hub is in the way.
    await (await pushManager.getSubscription())?.unsubscribe()
    return pushManager.subscribe(options).catch(() => {
      throw new Error('The push service of this browser cannot be reached, so nothing was switched on.')
    })
  })
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  return { endpoint, p256dh, auth }
}
