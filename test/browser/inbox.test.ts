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
  await page.getByText(/^Allowed by/).waitFor()
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
