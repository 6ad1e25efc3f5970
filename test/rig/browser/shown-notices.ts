/**
 * What a person sees of notices. The headless Chromium of npm has service workers and push events, but nothing that shows a
 * notification, it grants no permission for one, and none of its pages is ever hidden: these three are stood in for here, in
 * the browser and not in our code.
 */
import type { Page, Worker } from 'playwright-core'
import { eventually } from '../tools/eventually.ts'

export interface ShownNotice {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly actions: readonly string[]
  readonly data: unknown
}

/** Before the page loads: the browser asks its person for permission, and the person says yes. */
export async function grantNotices(page: Page): Promise<void> {
  await page.addInitScript(`
    window.asked = 0
    Object.defineProperty(Notification, 'permission', { get: () => (window.asked > 0 ? 'granted' : 'default') })
    Notification.requestPermission = async () => { window.asked += 1; return 'granted' }`)
}

export class ShownNotices {
  readonly #page: Page
  readonly worker: Worker

  private constructor(page: Page, worker: Worker) {
    this.#page = page
    this.worker = worker
  }

  static async of(page: Page): Promise<ShownNotices> {
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'))
    await worker.evaluate(`
      self.shown = []
      self.everShown = 0
      self.opened = []
      self.isHidden = false
      registration.showNotification = async (title, options) => {
        const notification = { title, ...options, close: () => { self.shown = self.shown.filter((one) => one !== notification) } }
        self.shown = [...self.shown.filter(({ tag }) => tag !== options.tag), notification]
        self.everShown += 1
      }
      registration.getNotifications = async () => self.shown
      clients.openWindow = async (path) => { self.opened.push(path); return null }
      Object.defineProperty(WindowClient.prototype, 'visibilityState', { get: () => (self.isHidden ? 'hidden' : 'visible') })`)
    return new ShownNotices(page, worker)
  }

  /** Nobody sees any page of this browser from now on, or somebody does. */
  async hide(isHidden: boolean): Promise<void> {
    await this.worker.evaluate(`self.isHidden = ${isHidden}`)
    await this.#page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} })
      document.dispatchEvent(new Event('visibilitychange'))`)
  }

  async list(): Promise<ShownNotice[]> {
    return this.worker.evaluate(
      'self.shown.map(({ title, body, tag, data, actions }) => ({ title, body, tag, data, actions: actions.map(({ action }) => action) }))',
    )
  }

  /** How many were shown since the beginning. */
  async count(): Promise<number> {
    return this.worker.evaluate('self.everShown')
  }

  /** Resolves when so many are shown. */
  async has(count: number): Promise<ShownNotice[]> {
    return eventually(async () => {
      const list = await this.list()
      if (list.length !== count) throw new Error(`${list.length} notices are shown, not ${count}.`)
      return list
    })
  }

  /** Resolves when the worker has done what the click asks for; returns the addresses that it has opened. */
  async click(tag: string, action: string): Promise<string[]> {
    return this.worker.evaluate(`(async () => {
      const notification = self.shown.find((one) => one.tag === ${JSON.stringify(tag)})
      const event = new Event('notificationclick')
      let work
      Object.assign(event, { notification, action: ${JSON.stringify(action)}, waitUntil: (given) => { work = given } })
      self.dispatchEvent(event)
      await work
      return self.opened
    })()`)
  }
}
