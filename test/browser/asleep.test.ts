import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'

const HOUR = 3_600_000

test('a laptop that slept for an hour shows the truth when it wakes, and keys that come first answer nothing', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  const id = await start('before', 'Run: touch before')
  await page.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).waitFor()
  const [mine] = await hub.call<{ id: string; sessionId: string }[]>('pending')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
  await hub.call('answer', { approvalId: mine?.id, approve: false, message: 'Not while I sleep.' })
  await start('after', 'Run: touch after')
  await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
  await devtools.send('Page.setWebLifecycleState', { state: 'active' })
  for (const key of ['a', 'j', 'a', 's', 's', 'A']) await page.keyboard.press(key)
  await page.locator('.row', { hasText: 'after' }).waitFor()
  expect(await hub.call<{ status: string }[]>('decisions')).toMatchObject([{ status: 'denied' }])
  expect(await hub.call<unknown[]>('pending')).toHaveLength(1)
})

test('a key right after a sleep counts only once the page has been read anew', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Run: touch x')
  const allow = page.getByRole('button', { name: 'Allow once' })
  await allow.and(page.locator(':enabled')).waitFor()
  // In one turn of the page: the clock jumps, and the key is there before any timer.
  const isOn = await page.evaluate(
    `(() => {
      const real = Date.now.bind(Date)
      Date.now = () => real() + ${HOUR}
      dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
    })()`,
  )
  expect(isOn).toBeUndefined()
  // It is connected again, and has been read: now the same key counts.
  await allow.and(page.locator(':disabled')).waitFor()
  await allow.and(page.locator(':enabled')).waitFor()
  expect(await hub.call<unknown[]>('decisions')).toEqual([])
  await page.keyboard.press('a')
  await page.getByText(/^Allowed by/).waitFor()
})

test('a connection that says nothing any more is replaced', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await page.getByText('Nothing waits').waitFor()
  const streams: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/events')) streams.push(request.url())
  })
  await page.evaluate(`(() => { const real = Date.now.bind(Date); let late = 0;
    Date.now = () => real() + late; setInterval(() => { if (late < 120000) late += 500 }, 100) })()`)
  await expect.poll(() => streams.length, { timeout: 20_000 }).toBeGreaterThan(0)
  await start('web', 'Run: touch x')
  await page.getByRole('button', { name: 'Allow once' }).waitFor()
})
