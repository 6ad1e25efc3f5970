import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'

const PATIENT = { timeout: 10_000 }

const pending = async (hub: Awaited<ReturnType<typeof askingHub>>['hub']) =>
  hub.call<{ id: string; sessionId: string }[]>('pending')

test('keys for another page and keys while the help is open answer nothing', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Run: touch one')
  const allow = page.getByRole('button', { name: /^Allow once/ })
  await allow.waitFor()
  await expect.poll(() => allow.isEnabled(), PATIENT).toBe(true)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  for (const key of ['a', 's', 's', 'A']) await page.keyboard.press(key)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.getByRole('link', { name: 'web' }).waitFor()
  await page.keyboard.press('s')
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await allow.waitFor()
  expect(await pending(hub)).toHaveLength(1)
})

/** Both in one task of the page: no time to read passes between them. */
const press = (...keys: string[]) =>
  `for (const key of ${JSON.stringify(keys)})
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`

test('g shows that it waits, and no longer than a second; a key that comes too early is answered with a sign', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('one', 'Run: touch one')
  // The question that is shown is the first of the list.
  await page.locator('#question-title', { hasText: 'touch one' }).waitFor()
  await start('two', 'Run: touch two')
  await page.getByText('Inbox (2)').waitFor()
  await page.keyboard.press('g')
  await page.getByText('and then').waitFor()
  await page.getByText('and then').waitFor({ state: 'detached' })
  await page.keyboard.press('n')
  await page.getByText(/^n is no key here/).waitFor()
  expect(page.url()).not.toContain('notices')

  const title = page.locator('#question-title')
  const buttons = page.locator('.card .answer-bar .buttons')
  await page.evaluate(press('j', 'a'))
  await page.getByText(/^Key ignored: the question had just appeared/).waitFor()
  expect(await title.textContent()).toContain('touch two')
  const place = await buttons.boundingBox()
  expect(await pending(hub)).toHaveLength(2)
  await page.evaluate(press('x', 'D'))
  await page.getByText(/^Key ignored: the selection had just changed/).waitFor()
  expect(await pending(hub)).toHaveLength(2)
  expect(await buttons.boundingBox()).toEqual(place)
})

test('a reason whose question is answered elsewhere meanwhile: the rest of the sentence decides nothing', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  const first = await start('web', 'Run: touch one')
  await page.getByText('touch one').first().waitFor()
  await start('api', 'Run: touch two')
  await page.getByText('Inbox (2)').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Deny/ }).isEnabled(), PATIENT).toBe(true)
  await page.keyboard.press('d')
  await page.getByRole('textbox').waitFor()
  await page.keyboard.type('No, ')
  const [mine] = (await pending(hub)).filter(({ sessionId }) => sessionId === first)
  await hub.call('answer', { approvalId: mine?.id, approve: false })
  await page.getByRole('textbox').waitFor({ state: 'detached' })
  await page.getByText(/^Denied by operator/).waitFor()
  // A person pauses in the middle of a sentence. The letter after that would open the next question, and a later one allow it.
  await page.waitForTimeout(1_500)
  await page.keyboard.type('just a backup, as said', { delay: 80 })
  expect(await pending(hub)).toHaveLength(1)
  await page.getByText(/^Denied by operator/).waitFor()
})

test('what is begun on a card is not overtaken by the selection: A does not run the original of what was edited', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Run: touch original')
  await page.getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('textbox').fill(JSON.stringify({ command: 'touch harmless' }))
  await page.getByRole('button', { name: /^Show what would run/ }).click()
  await page.getByText('as edited').first().waitFor()
  await page.getByLabel('Select').check()
  await page.getByText('Finish what is begun on the card first').waitFor()
  await page.keyboard.press('A')
  expect(await page.getByRole('button', { name: /^Allow this one/ }).isEnabled()).toBe(false)
  expect(await pending(hub)).toHaveLength(1)
})

test('on a phone a question that is chosen in the list is brought before the eyes', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub, { viewport: { width: 390, height: 844 } })
  await start('web', 'Edit the settings.')
  await page.locator('.diff').waitFor()
  for (const name of ['one', 'two', 'three', 'four']) await start(name, `Run: touch ${name}`)
  await page.getByText('Inbox (5)').waitFor()
  const row = page.getByRole('button', { name: /touch four/ })
  await row.scrollIntoViewIfNeeded()
  const top = async () => (await page.locator('.card').boundingBox())?.y ?? Number.NaN
  expect(await top()).toBeLessThan(-100)
  await row.click()
  await page.locator('#question-title', { hasText: 'touch four' }).waitFor()
  // Below the header, which stays on the screen.
  await expect.poll(top, PATIENT).toBeGreaterThanOrEqual(40)
})
