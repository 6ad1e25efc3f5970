import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'

/** More than a browser opens connections to one host. */
const TABS = 8

interface Tabs {
  readonly pages: Page[]
  /** The tabs that have the stream of the hub, by their number. */
  readonly streams: number[]
}

async function openTabs(first: Page, url: string, count: number): Promise<Tabs> {
  const pages = [first]
  const streams = [0]
  while (pages.length < count) {
    const number = pages.length
    const page = await first.context().newPage()
    page.on('request', (request) => {
      if (request.url().includes('/events')) streams.push(number)
    })
    pages.push(page)
    await page.goto(url)
    await page.getByText('Nothing waits for you.').waitFor()
  }
  return { pages, streams }
}

const rowOf = (page: Page, name: string) => page.locator('.row', { hasText: name })

test('eight tabs of one browser share one stream and all show a new question, also after the tab that led is closed', async () => {
  const { hub, start } = await askingHub()
  const first = await signedInPage(hub, { isRemembered: true })
  await first.getByText('Nothing waits for you.').waitFor()
  const { pages, streams } = await openTabs(first, hub.url, TABS)
  await start('one', 'Run: touch one')
  for (const page of pages) await rowOf(page, 'one').waitFor()
  expect(streams).toEqual([0])
  await first.close()
  await start('two', 'Run: touch two')
  for (const page of pages.slice(1)) await rowOf(page, 'two').waitFor()
  expect(streams).toHaveLength(2)
  // All can still call the hub: no connection is held but the one.
  const [last] = pages.slice(-1)
  await last?.getByRole('button', { name: 'Allow once' }).and(last.locator(':enabled')).click()
  for (const page of pages.slice(1)) await rowOf(page, 'one').waitFor({ state: 'detached' })
}, 120_000)

test('a tab that leads and is stuck holds back no tab that is seen', async () => {
  const { hub, start } = await askingHub()
  const first = await signedInPage(hub, { isRemembered: true })
  await first.getByText('Nothing waits for you.').waitFor()
  const { pages, streams } = await openTabs(first, hub.url, 2)
  const devtools = await first.context().newCDPSession(first)
  // Nothing of it runs any more. Chromium does not freeze a tab that leads, because that has a lock.
  await devtools.send('Debugger.enable')
  const isStuck = new Promise((resolve) => devtools.once('Debugger.paused', resolve))
  await devtools.send('Debugger.pause')
  await isStuck
  await start('web', 'Run: touch x')
  const [, second] = pages
  await second?.locator('.row', { hasText: 'web' }).waitFor()
  expect(streams).toEqual([0, 1])
  await devtools.send('Debugger.resume')
  await rowOf(first, 'web').waitFor()
})

test('a tab that is signed in as another device gets nothing of the others, nor does one that is signed out', async () => {
  const { hub, start } = await askingHub()
  const first = await signedInPage(hub)
  await first.getByText('Nothing waits for you.').waitFor()
  const out = await first.context().newPage()
  await out.goto(hub.url)
  await out.getByText('plexus open').waitFor()
  const other = await first.context().newPage()
  const { url } = await hub.call<{ url: string }>('inviteDevice', { scope: 'read' })
  const ownStream = other.waitForRequest((request) => request.url().includes('/events'))
  await other.goto(url)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await ownStream
  await start('web', 'Run: touch x')
  for (const page of [first, other]) await rowOf(page, 'web').waitFor()
  const groups = await other.evaluate<string[]>(
    'navigator.locks.query().then(({ held }) => held.map(({ name }) => name))',
  )
  expect(new Set(groups).size).toBe(2)
  expect(await rowOf(out, 'web').count()).toBe(0)
  // Its device is removed: it goes, and the other stays.
  const devices = await hub.call<{ name: string; scope: string }[]>('listDevices')
  await hub.call('removeDevice', { name: devices.find(({ scope }) => scope === 'read')?.name })
  await other.getByText('plexus open').waitFor()
  await start('next', 'Run: touch y')
  await rowOf(first, 'next').waitFor()
})
