/// <reference lib="webworker" />
import type { Notice } from '../../src/notices/notice.ts'
import { isFirst, isKnown, keptDevice } from '../src/hub/kept-values.ts'
import type { WorkerMessage } from '../src/notices/worker-message.ts'

declare const self: ServiceWorkerGlobalScope

/** What a shown notice carries: what a click on it is about, and nothing that was not in the notice. */
export type NoticeData = Pick<Notice, 'sessionId' | 'question'>

/** The type of the library lacks what browsers have. */
interface Options extends NotificationOptions {
  readonly actions: readonly { readonly action: string; readonly title: string }[]
  readonly renotify: boolean
  readonly data: NoticeData
}

/** Shows or withdraws, whichever way the message came: from the hub by a push, or from a page of this browser. */
export async function react(message: WorkerMessage): Promise<void> {
  if (message.type === 'show') await show(message.notice)
  if (message.type === 'withdraw') {
    // A push that was overtaken by its own withdrawal must not show it later.
    await isFirst(settledKey(message.tag))
    await close(({ tag }) => tag === message.tag)
  }
  if (message.type === 'open questions')
    await close(({ tag, data }) => isQuestion(data) && !message.tags.includes(tag))
  if (message.type === 'seen') await close(() => true)
}

async function show(notice: Notice): Promise<void> {
  const { key, tag, title, body, reason, sessionId, question } = notice
  if ((await isKnown(settledKey(tag))) || !(await isFirst(key))) return
  // A person who sees a page of this browser sees the question there.
  if (await isSeen()) return
  const options: Options = {
    body,
    tag,
    icon: '/icon.svg',
    renotify: reason === 'expiring',
    actions: question ? await actions() : [],
    data: question ? { sessionId, question } : { sessionId },
  }
  await self.registration.showNotification(title, options)
}

/** Never to allow: that needs what would run in front of the person. To deny, only where this worker has a token. */
async function actions(): Promise<Options['actions']> {
  const device = await keptDevice()
  const deny = device && device.scope !== 'read' ? [{ action: 'deny', title: 'Deny' }] : []
  return [...deny, { action: 'review', title: 'Review' }]
}

async function isSeen(): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return pages.some(({ visibilityState }) => visibilityState === 'visible')
}

async function close(which: (notification: Notification) => boolean): Promise<void> {
  for (const notification of await self.registration.getNotifications())
    if (which(notification)) notification.close()
}

function isQuestion(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'question' in data
}

function settledKey(tag: string): string {
  return `settled ${tag}`
}
