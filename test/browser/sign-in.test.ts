import { expect, test } from 'vitest'
import { newPage, signedInPage } from '../rig/browser/browser.ts'
import { hubPlace } from '../rig/hubs/hub.ts'

test('S5: a link signs a browser in once, leaves no code in the address, and sets no cookie', async () => {
  const hub = await (await hubPlace()).start()
  const { url } = await hub.call<{ url: string }>('inviteDevice', { scope: 'operate' })
  const page = await newPage()
  await page.goto(url)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Nothing waits').waitFor()
  expect(page.url()).toBe(`${hub.url}/`)
  expect(await page.context().cookies()).toEqual([])

  const second = await newPage()
  await second.goto(url)
  // Nobody has to click to learn that it was used.
  await second.getByRole('alert').waitFor()
  expect(await second.getByRole('button').count()).toBe(0)
  expect(await second.getByRole('alert').textContent()).toContain('plexus open')
})

test('a browser without a link learns how to get one', async () => {
  const hub = await (await hubPlace()).start()
  const page = await newPage()
  await page.goto(hub.url)
  expect(await page.getByRole('main').textContent()).toContain('plexus open')
  await page.goto(`${hub.url}/nothing`)
  await page.getByRole('link', { name: 'open the inbox' }).click()
  await page.getByText('plexus open').waitFor()
})

test('S5: a device that is removed is signed out under its page', async () => {
  const hub = await (await hubPlace()).start()
  const page = await signedInPage(hub)
  await page.getByText('Nothing waits').waitFor()
  const [device] = await hub.call<{ name: string }[]>('listDevices')
  await hub.call('removeDevice', { name: device?.name ?? '' })
  await page.getByText('plexus open').waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
})
