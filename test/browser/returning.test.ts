/** What a person has begun on a question, and what became of a call that they allowed. */
import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'

const PATIENT = { timeout: 10_000 }

test('what is begun on a question is there again when the person returns to it, and nothing of it reaches another', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('one', 'Run: touch one')
  await page.getByText('touch one').first().waitFor()
  await start('two', 'Run: touch two')
  await start('three', 'Ask me.')
  await page.getByText('Inbox (3)').waitFor()
  const row = (name: string) => page.locator('.row', { hasText: name })
  const open = async (name: string) => {
    await row(name).getByRole('button').click()
    await page.locator('#question-title', { hasText: name }).waitFor()
  }
  const press = async (name: RegExp) => {
    const button = page.locator('.card').getByRole('button', { name })
    await expect.poll(() => button.isEnabled(), PATIENT).toBe(true)
    await button.click()
  }
  const text = page.locator('.card').getByRole('textbox')

  await open('one')
  await press(/^Edit/)
  await text.fill('touch other')
  await open('two')
  expect(await text.count()).toBe(0)
  await press(/^Deny/)
  await text.fill('Not this')
  await open('three')
  await page.getByLabel('Postgres').check()

  await open('one')
  expect(await text.inputValue()).toBe('touch other')
  expect(await row('two').textContent()).toContain('begun')
  await press(/^Show what would run/)
  await page.getByText('as edited').first().waitFor()
  await open('two')
  expect(await text.inputValue()).toBe('Not this')
  await open('one')
  await page.locator('#question-title', { hasText: 'wants to run: touch other' }).waitFor()
  await open('three')
  expect(await page.getByLabel('Postgres').isChecked()).toBe(true)

  // Back is the person's own word for it: then it is dropped.
  await open('two')
  await press(/^Back/)
  await press(/^Deny/)
  expect(await text.inputValue()).toBe('')
  expect(await hub.call<unknown[]>('pending')).toHaveLength(3)
})

test('who comes to the inbox sees what waits, not what was decided before; the card of that says that it ran', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('one', 'Run: touch first && echo it is there')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('It ran:').waitFor()
  // What ran comes first: the words below it are the session's.
  expect(await page.locator('.card').innerText()).toMatch(/touch first[^]*It ran:\s+it is there\s*$/)
  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await start('two', 'Run: touch second')
  await page.getByRole('link', { name: 'Inbox (1)' }).click()
  await page.locator('#question-title', { hasText: 'touch second' }).waitFor()
  await page.getByRole('button', { name: 'Keys ?' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await hub.call<unknown[]>('pending')).toHaveLength(1)
})

test('a call that was allowed and failed says so on its card, at once and when it is opened later', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Run: touch nowhere/at/all')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText('It was allowed, and it failed:').waitFor()
  expect(await page.locator('.failed pre').textContent()).toContain('No such file')
  const [decided] = await hub.call<{ id: string }[]>('decisions')
  await page.goto(`${hub.url}/#/notices`)
  await page.goto(`${hub.url}/#/q/${decided?.id}`)
  await page.reload()
  await page.getByText('It was allowed, and it failed:').waitFor()
})
