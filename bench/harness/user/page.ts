import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
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

/** When the page shows this text, by the clock of the machine: in the document, and the next frame has begun. */
export function shown(page: Page, text: string): Promise<number> {
  return page.evaluate(watchScript(text))
}

function watchScript(text: string): string {
  return `new Promise((resolve) => {
      const check = () => {
        if (!document.body.textContent.includes(${JSON.stringify(text)})) return
        watch.disconnect()
        requestAnimationFrame(() => resolve(Date.now()))
      }
      const watch = new MutationObserver(check)
      watch.observe(document.body, { subtree: true, childList: true, characterData: true })
      check()
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
