import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'
import { grantNotices, ShownNotices } from '../rig/browser/shown-notices.ts'

type Signed = Parameters<typeof signedInPage>[1]

/** A hub with sessions, and a browser that is notified of these reasons. */
async function notified(options: Signed = {}, ...reasons: string[]) {
  const asking = await askingHub()
  const page = await signedInPage(asking.hub, { prepare: grantNotices, isRemembered: true, ...options })
  const notices = await ShownNotices.of(page)
  await page.getByRole('link', { name: 'Notices' }).click()
  for (const reason of reasons) await page.getByLabel(reason).check()
  return { ...asking, page, notices }
}

test('there is no notice while the page is seen, and those that are shown go when it is seen again', async () => {
  const { page, notices, start } = await notified({}, 'A session asks')
  await start('one', 'Run: touch one')
  await page.getByText('Inbox (1)').waitFor()
  await notices.hide(true)
  await start('two', 'Run: touch two')
  expect(await notices.has(1)).toMatchObject([{ title: 'two asks' }])
  await notices.hide(false)
  await notices.has(0)
  expect(await notices.count()).toBe(1)
})

test('Deny on a notice does nothing to a question that was settled meanwhile, and nothing to another one', async () => {
  const { hub, page, notices, start } = await notified({}, 'A session asks')
  await notices.hide(true)
  await start('web', 'Run: touch one')
  const [notice] = await notices.has(1)
  // The page does not learn of the answer, as if its machine slept: the notice stays.
  await page.goto('about:blank')
  await hub.call('answer', { approvalId: notice?.tag, approve: true })
  await start('api', 'Run: touch two')
  expect(await notices.click(notice?.tag ?? '', 'deny')).toEqual([])
  const [decided] = await hub.call<{ id: string; status: string }[]>('decisions')
  expect(decided).toMatchObject({ id: notice?.tag, status: 'allowed' })
})

test('S52: a denial is bound to what was asked: with another hash the page opens, and nothing is decided', async () => {
  const { hub, notices, start, page } = await notified({}, 'A session asks')
  await notices.hide(true)
  await start('web', 'Run: touch one')
  const [notice] = await notices.has(1)
  await page.goto('about:blank')
  await notices.worker.evaluate(`self.shown[0].data.question.inputSha256 = '${'0'.repeat(64)}'`)
  expect(await notices.click(notice?.tag ?? '', 'deny')).toEqual([`/#/q/${notice?.tag}`])
  expect(await hub.call<unknown[]>('pending')).toHaveLength(1)
})

test.each([
  ['is not remembered', { isRemembered: false }],
  ['only reads', { scope: 'read' }],
])('on a browser that %s a notice offers no Deny; Review opens the question', async (_, options) => {
  const { hub, notices, start, page } = await notified(options, 'A session asks')
  await notices.hide(true)
  await start('web', 'Run: touch one')
  const [notice] = await notices.has(1)
  expect(notice?.actions).toEqual(['review'])
  await notices.click(notice?.tag ?? '', 'deny')
  await page.waitForURL(`${hub.url}/#/q/${notice?.tag}`)
  expect(await hub.call<unknown[]>('pending')).toHaveLength(1)
})

test('a session that is done is one notice, if that was switched on', async () => {
  const { hub, notices, start, page } = await notified({}, 'A session is done')
  await notices.hide(true)
  await start('asks', 'Run: touch one')
  const id = await start('web', 'Hello')
  expect(await notices.has(1)).toMatchObject([{ title: 'web is done', actions: [] }])
  await notices.click(id, '')
  await page.waitForURL(`${hub.url}/#/s/${id}`)
})
