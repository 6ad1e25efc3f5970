/** `npm run page-pictures`: docs/images from a real run of the page. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'

const FOLDER = join(import.meta.dirname, '../../docs/images')

test('pictures of the page', async () => {
  await mkdir(FOLDER, { recursive: true })
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub, { viewport: { width: 1200, height: 720 }, colorScheme: 'light' })
  const picture = (name: string) => page.screenshot({ path: join(FOLDER, `${name}.png`) })
  const id = await start('web', 'Edit the settings.')
  await page.locator('.diff').waitFor()
  await start('api', 'Run: npm test')
  await start('docs', 'Plan the work.', { permissionMode: 'plan' })
  await start('db', 'Ask me.')
  await page.getByText('Inbox (4)').waitFor()
  await page.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).waitFor()
  await picture('inbox')
  for (const [name, session] of [
    ['plan', 'docs'],
    ['question', 'db'],
  ] as const) {
    await page.locator('.row button', { hasText: session }).click()
    await page.locator('#question-title', { hasText: session }).waitFor()
    await picture(name)
  }
  const phone = await signedInPage(hub, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await phone.getByRole('button', { name: 'Allow once' }).and(phone.locator(':enabled')).waitFor()
  await phone.screenshot({ path: join(FOLDER, 'phone.png') })
  await phone.getByRole('button', { name: 'Allow once' }).click()
  expect(await phone.getByText(/^Allowed by/).textContent()).toContain('(page)')
  await page.goto(`${hub.url}/#/s/${id}`)
  await page.getByText('It is done.').waitFor()
  await page.locator('.card', { hasText: 'idle' }).waitFor()
  await picture('session')
  await page.goto(`${hub.url}/#/sessions`)
  await page.getByText('Start a session').click()
  await page.getByRole('combobox', { name: 'Folder' }).fill('/u')
  await page.getByRole('option', { name: '/usr' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await picture('start')
})
