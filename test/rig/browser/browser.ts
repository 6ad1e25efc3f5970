/** Pages in a real Chromium, for tests. */
import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Hub } from '../hubs/hub.ts'
import { startChromium } from './chromium.ts'

let shared: Promise<Browser> | undefined

/** One browser for all tests of a process; each test has a context of its own. */
function sharedBrowser(): Promise<Browser> {
  shared ??= startChromium()
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
