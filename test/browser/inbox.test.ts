import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'
import { eventually } from '../rig/tools/eventually.ts'

test('a person reads the diff of an edit, allows it, and sees who did; the file changes', async () => {
  const { hub, place, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Edit the settings.')
  await page.locator('.diff .added', { hasText: '.catch(() => ' }).waitFor()
  expect(await page.locator('.diff .removed').textContent()).toContain("await readFile(path, 'utf8')")
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByText(/^Allowed by .*page/).waitFor()
  // What was decided on stays: the file has changed by it, and is not compared with it again.
  await page.getByText('was allowed to edit').waitFor()
  expect(await page.locator('.diff .removed').textContent()).not.toContain('catch')
  expect(await page.locator('.diff .added .changed').allTextContents()).not.toEqual([])
  expect(await page.getByText('was changed since').count()).toBe(0)
  await eventually(async () => {
    const text = await readFile(join(place.project, 'settings.ts'), 'utf8')
    if (!text.includes("catch(() => '{}')")) throw new Error('The file has not changed.')
  })
  expect(await hub.call<{ by: string; via: string }[]>('decisions')).toMatchObject([{ via: 'page' }])
})

test('a command is edited before it is allowed, and a denial carries its reason', async () => {
  const { hub, place, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('one', 'Run: echo one > out.txt')
  await page.getByText('echo one > out.txt').first().waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox').fill('echo two > out.txt')
  await page.getByRole('button', { name: 'Show what would run' }).click()
  await page.getByRole('button', { name: 'Allow it as edited' }).click()
  await page.getByText(/^Allowed as edited by/).waitFor()
  await page.getByText('was allowed, as edited, to run: echo two > out.txt').waitFor()
  await page.getByText(/^As it was asked, before the edit/).click()
  await page.getByText('echo one > out.txt', { exact: true }).waitFor()
  await eventually(async () => {
    if ((await readFile(join(place.project, 'out.txt'), 'utf8')) !== 'two\n') throw new Error('Not yet.')
  })
  await start('two', 'Run: echo three > out.txt')
  await page.getByRole('button', { name: /Next question/ }).click()
  await page.getByText('echo three > out.txt').first().waitFor()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('textbox').fill('Not this file')
  await page.keyboard.press('Enter')
  await page.getByText('Not this file').waitFor()
  expect(await readFile(join(place.project, 'out.txt'), 'utf8')).toBe('two\n')
})

test('the timeline and the transcript show what ran after an edit, and what was answered', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  const edited = await start('one', 'Run: touch asked')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox').fill('touch edited')
  await page.getByRole('button', { name: 'Show what would run' }).click()
  await page.getByRole('heading', { name: 'wants to run: touch edited as edited' }).waitFor()
  await page.getByRole('button', { name: 'Allow it as edited' }).click()
  await page.getByText(/^Allowed as edited by/).waitFor()
  await page.goto(`${hub.url}/#/s/${edited}`)
  await page.getByText(/^Timeline/).click()
  await page.getByRole('row', { name: /touch edited allowed as edited by .*, ran/ }).waitFor()
  await page.locator('.item.call summary', { hasText: /touch edited.*allowed as edited/ }).click()
  await page.locator('.item.call', { hasText: 'touch asked' }).waitFor()

  const asked = await start('two', 'Ask me.')
  await page.goto(`${hub.url}/#/inbox`)
  await page.getByRole('button', { name: /Next question/ }).click()
  await page
    .getByLabel(/^Postgres/)
    .first()
    .check()
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await page.locator('.given dd', { hasText: 'Postgres' }).waitFor()
  await page.goto(`${hub.url}/#/s/${asked}`)
  const answered = page.locator('.item.call summary q')
  await answered.waitFor()
  expect(await answered.textContent()).toBe('Postgres')
})
