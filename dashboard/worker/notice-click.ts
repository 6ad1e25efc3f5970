/// <reference lib="webworker" />
import { HubClient, HubError, SignedOut } from '../src/hub/hub-client.ts'
import { keepDevice, keptDevice } from '../src/hub/kept-values.ts'
import type { NoticeData } from './show-notice.ts'

declare const self: ServiceWorkerGlobalScope

/** A click on a notice: it denies the very question that the notice was about, or opens the page there. */
export async function clicked(notification: Notification, action: string): Promise<void> {
  notification.close()
  const data: NoticeData = notification.data
  const { question, sessionId } = data
  const isDone = action === 'deny' && question !== undefined && (await deny(sessionId, question))
  if (!isDone) await openPage(question ? `/#/q/${question.id}` : `/#/s/${sessionId}`)
}

/** Whether nothing more is to be done; otherwise the person does it on the page. */
async function deny(
  sessionId: string,
  { id, inputSha256 }: { id: string; inputSha256: string },
): Promise<boolean> {
  const device = await keptDevice()
  if (!device) return false
  try {
    const hub = new HubClient(() => device.token)
    await hub.call('answer', { approvalId: id, sessionId, inputSha256, approve: false })
    return true
  } catch (error) {
    if (error instanceof SignedOut) await keepDevice(undefined)
    // Somebody else was first: there is nothing left to deny.
    return error instanceof HubError && error.code === 'already_settled'
  }
}

async function openPage(path: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [page] = pages
  // A page that this worker does not control cannot be moved, so it stays as it is.
  const moved = await page?.navigate(path).catch(() => null)
  // The click may be too long ago, if the hub did not answer.
  if (moved) await moved.focus().catch(() => {})
  else await self.clients.openWindow(path)
}
