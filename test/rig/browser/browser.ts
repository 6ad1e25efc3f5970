/** A real Chromium, from npm on Linux x64, elsewhere the one that `CHROME_PATH` names. */
import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Hub } from '../hubs/hub.ts'

/** No traffic of its own: the tests run where only this machine can be reached. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

async function browserPath(): Promise<string> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH !== undefined && existsSync(CHROME_PATH)) return CHROME_PATH
  if (process.platform === 'linux' && process.arch === 'x64') return chromium.executablePath()
  throw new Error('There is no Chromium for this platform; name one with CHROME_PATH.')
}

let shared: Promise<Browser> | undefined

/** One browser for all tests of a process; each test has a context of its own. */
function sharedBrowser(): Promise<Browser> {
  shared ??= browserPath().then((executablePath) => playwright.launch({ executablePath, args: FLAGS }))
  return shared
}

export interface PageOptions {
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
  /** Runs before the page loads anything. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** A page of a new browser profile. What it logs as an error fails the test. */
export async function newPage({ prepare, ...options }: PageOptions = {}): Promise<Page> {
  const context = await (await sharedBrowser()).newContext(options)
  const page = await context.newPage()
  await prepare?.(page)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  onTestFinished(async () => {
    await context.close()
    if (faults.length > 0) throw new Error(`The page failed: ${faults.join('; ')}`)
  })
  return page
}

/** A page that a person has signed in by a link, as `plexus open` makes it. */
export async function signedInPage(
  hub: Hub,
  {
    scope = 'operate',
    isRemembered = false,
    ...options
  }: PageOptions & { scope?: string; isRemembered?: boolean } = {},
): Promise<Page> {
  const page = await newPage(options)
  const { url } = await hub.call<{ url: string }>('inviteDevice', { scope })
  await page.goto(url)
  if (isRemembered) await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation').waitFor()
  return page
}
