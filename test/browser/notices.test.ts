import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'
import { grantNotices, ShownNotices } from '../rig/browser/shown-notices.ts'

const SECRET = 'touch the-secret-file'

test('S52: a question that arrives while nobody sees the page is one notice without its input; it goes when the question is settled elsewhere, and Deny denies that question alone', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub, { prepare: grantNotices, isRemembered: true })
  const notices = await ShownNotices.of(page)
  await page.getByRole('link', { name: 'Notices' }).click()
  expect(await page.evaluate('window.asked')).toBe(0)
  await page.getByLabel('A session asks').check()
  expect(await page.evaluate('window.asked')).toBe(1)

  await notices.hide(true)
  await start('web', `Run: ${SECRET}`)
  const [notice] = await notices.has(1)
  expect(notice).toMatchObject({
    title: 'web asks',
    body: 'It wants to use Bash.',
    actions: ['deny', 'review'],
  })
  expect(JSON.stringify(notice)).not.toContain('secret')
  await hub.call('answer', { approvalId: notice?.tag, approve: true })
  await notices.has(0)

  await start('api', 'Run: touch x')
  const [next] = await notices.has(1)
  expect(await notices.click(next?.tag ?? '', 'deny')).toEqual([])
  const decided = await hub.call<{ id: string; status: string; via: string }[]>('decisions')
  expect(decided.find(({ id }) => id === next?.tag)).toMatchObject({ status: 'denied', via: 'page' })
  expect(await notices.count()).toBe(2)
})
