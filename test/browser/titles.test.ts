import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'
import { grantNotices, ShownNotices } from '../rig/browser/shown-notices.ts'

const NO_NAME = { name: undefined }

test('a session that nobody named is known by its first prompt: in the inbox, on its card, in the list and its timeline', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  const id = await start('', 'Run: touch x # and all that follows is too long for a title', NO_NAME)
  const title = '“Run: touch x # and all that follows is …”'
  await page.getByRole('heading', { name: `${title} wants to run: touch x` }).waitFor()
  const row = page.locator('.row button', { hasText: `${title} wants to run: touch x` })
  // Two lines of a row are shown: its title takes one of them, and what it asks the other.
  const { height = 0 } = (await row.boundingBox()) ?? {}
  expect((await row.locator('b').boundingBox())?.height).toBeLessThan(height * 0.6)
  await page.goto(`${hub.url}/#/s/${id}`)
  await page.getByRole('heading', { name: title, exact: true }).waitFor()
  expect(await page.locator('.sessions li b').allTextContents()).toEqual([title])
  await page.getByText(/^Timeline/).click()
  await page.locator('.timeline').getByRole('link', { name: title }).waitFor()
  await page.getByRole('searchbox').fill('follows')
  await expect.poll(() => page.locator('.sessions li b').count()).toBe(1)
  // What was said later does not change it, and a name does.
  await hub.call('renameSession', { sessionId: id, name: 'web' })
  await page.getByRole('searchbox').fill('')
  await page.reload()
  await page.getByRole('heading', { name: 'web', exact: true }).waitFor()
})

test('S51: a notice names such a session by its folder, and has nothing of its prompt', async () => {
  const { hub, place, start } = await askingHub()
  const page = await signedInPage(hub, { prepare: grantNotices, isRemembered: true })
  const notices = await ShownNotices.of(page)
  await page.getByRole('link', { name: 'Notices' }).click()
  await page.getByLabel('A session asks').check()
  await notices.hide(true)
  const id = await start('', 'Run: touch the-secret-file', NO_NAME)
  const [notice] = await notices.has(1)
  expect(notice?.title).toBe(`${basename(place.project)} ${id.slice(0, 8)} asks`)
  expect(JSON.stringify(notice)).not.toContain('secret')
})
