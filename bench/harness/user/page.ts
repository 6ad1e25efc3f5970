import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../../../test/rig/browser/chromium.ts'
import type { HubProcess } from './hub-process.ts'

/** Real pages in a real Chromium, until the work is done. */
export async function withChromium<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await startChromium()
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** A page of this hub that a person has signed in; it is remembered, so that more pages can be opened beside it. */
export async function signedIn(browser: Browser, hub: HubProcess): Promise<Page> {
  const token = readFileSync(hub.tokenFile, 'utf8').trim()
  const response = await fetch(`${hub.url}/rpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'inviteDevice', params: { scope: 'operate' } }),
  })
  const { result }: { result: { url: string } } = JSON.parse(await response.text())
  const page = await (await browser.newContext()).newPage()
  await page.goto(result.url)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation').waitFor()
  return page
}

/**
 * Watches for a text; resolves when the page does so. Otherwise a text that is sent at once is found only when the watch has
 * reached the page, and that time is measured in its place.
 */
export async function watchFor(page: Page, text: string): Promise<{ readonly shown: Promise<number> }> {
  await page.evaluate(`void (window.shownAt = ${watchScript(text)})`)
  return { shown: page.evaluate('window.shownAt') }
}

/** When the page shows this text, by `clockNow`: it is in the document, and the frame that has it is laid out and painted. */
export function shown(page: Page, text: string): Promise<number> {
  return page.evaluate(watchScript(text))
}

/** The clock of the machine, finer than `Date.now()`, as every page has it too. */
export function clockNow(): number {
  return performance.timeOrigin + performance.now()
}

const FRAME_MS = 1_000 / 60

/** Longer than what a measure leaves to do takes: an answered question is taken off the page, and the lists are read again. */
const REST_MS = 150

/**
 * A page paints once in a frame. One that has just painted lets the next change wait for the frame after, so each measure begins
 * with a page at rest; and at any moment of a frame, or that moment would be measured.
 */
export async function atRestAndAnyMoment(): Promise<void> {
  await sleep(REST_MS + Math.random() * FRAME_MS)
}

/** Reads only what was added: to search a whole page of many lines at each of them would burden the page that shows most. */
function watchScript(text: string): string {
  return `new Promise((resolve) => {
      const has = (node) => node.textContent.includes(${JSON.stringify(text)})
      const painted = () => {
        watch.disconnect()
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.timeOrigin + performance.now())
          port2.postMessage(0)
        })
      }
      const watch = new MutationObserver((changes) => {
        const isShown = ({ type, target, addedNodes }) => type === 'characterData' ? has(target) : [...addedNodes].some(has)
        if (changes.some(isShown)) painted()
      })
      watch.observe(document.body, { subtree: true, childList: true, characterData: true })
      if (has(document.body)) painted()
    })`
}

const BARE = `<!doctype html><meta charset="utf-8"><body><script>
new EventSource('/events').onmessage = ({ data }) => {
  const line = document.createElement('p')
  line.textContent = data
  document.body.append(line)
}
</script>`

export interface BarePage {
  readonly page: Page
  /** Sends each text as one event, at once. */
  readonly send: (texts: readonly string[]) => void
  readonly close: () => void
}

/** A page that adds a line of text for each event of a bare server. */
export async function barePage(browser: Browser): Promise<BarePage> {
  const streams = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    if (request.url !== '/events') return void response.setHeader('content-type', 'text/html').end(BARE)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
    streams.add(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const page = await (await browser.newContext()).newPage()
  const isFollowing = page.waitForResponse((response) => response.url().endsWith('/events'))
  await page.goto(`http://127.0.0.1:${port}/`)
  await isFollowing
  return {
    page,
    send: (texts) => {
      for (const stream of streams) for (const text of texts) stream.write(`data: ${text}\n\n`)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
