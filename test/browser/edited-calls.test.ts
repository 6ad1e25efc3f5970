import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'

test('a command that was edited and failed is said to be allowed as edited, and its transcript shows both commands', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  const id = await start('web', 'Run: touch asked')
  await page.getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('textbox').fill('touch edited && false')
  await page.getByRole('button', { name: 'Show what would run' }).click()
  await page.getByRole('button', { name: 'Allow it as edited' }).click()
  await page.getByText('It was allowed as edited, and it failed:').waitFor()
  await page.goto(`${hub.url}/#/s/${id}`)
  const call = page.locator('.item.call', { hasText: 'touch edited && false' })
  await call.locator('summary').click()
  await expect
    .poll(() => call.locator('.command').allTextContents())
    .toEqual(['touch edited && false', 'touch asked'])
  expect(await call.textContent()).not.toContain('"command"')
})

test('the change of a file that was edited is a diff in the transcript, and so is the one that was asked about', async () => {
  const { hub, place, start } = await askingHub()
  const page = await signedInPage(hub)
  const id = await start('web', 'Edit the settings.')
  await page.locator('.diff').waitFor()
  await page.getByRole('button', { name: /^Edit/ }).click()
  const input = page.getByLabel('The input, as JSON')
  await input.fill((await input.inputValue()).replace("'{}'", "'[]'"))
  await page.getByRole('button', { name: 'Show what would run' }).click()
  await page.getByRole('button', { name: 'Allow it as edited' }).click()
  await page.getByText(/^Allowed as edited by/).waitFor()
  await page.goto(`${hub.url}/#/s/${id}`)
  await page.getByText('It is done.').waitFor()
  const call = page.locator('.item.call', { hasText: 'Edit' })
  await call.locator('summary').click()
  await expect
    .poll(() => call.locator('.diff .added').allTextContents())
    .toEqual([expect.stringContaining("catch(() => '[]')"), expect.stringContaining("catch(() => '{}')")])
  expect(await call.locator('.diff .removed').count()).toBe(2)
  expect(await call.locator('.path').allTextContents()).toEqual(
    Array.from({ length: 2 }, () => join(place.project, 'settings.ts')),
  )
  expect(await call.textContent()).not.toContain('"new_string"')
  expect(await readFile(join(place.project, 'settings.ts'), 'utf8')).toContain("'[]'")
})
