import { expect, test } from 'vitest'
import type { GrantView } from '../../src/engine/engine.ts'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'
import { eventually } from '../rig/tools/eventually.ts'

test('a person chooses where an answer is remembered, reads the very rule that is stored, and revokes it (asked for: 2) (asked for: 14)', async () => {
  const { hub, place, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('one', 'Run: touch a')
  await page.getByRole('button', { name: /Do not ask again/ }).click()
  const text = page.locator('.remember pre')
  expect(await text.textContent()).toContain('in session "one"')
  await page.getByRole('radio', { name: /in all sessions in its folder/ }).check()
  const rule = `allow exactly Bash "touch a", in folder ${JSON.stringify(place.project)}`
  expect(await text.textContent()).toBe(rule)
  await page.getByRole('checkbox', { name: /for 1 hour/ }).check()
  await page.getByRole('button', { name: /Allow, and do not ask again/ }).click()
  await page.getByText(/^Allowed by/).waitFor()
  const note = page.locator('.remembered')
  await note.getByRole('button', { name: 'Revoke' }).waitFor()
  expect(await note.textContent()).toMatch(/in all sessions in its folder.*, until \d/)
  expect(await note.textContent()).toContain(rule)
  const [grant] = await hub.call<GrantView[]>('listGrants')
  expect(grant).toMatchObject({
    scope: 'folder',
    texts: [expect.stringContaining(`${rule}, until `)],
    endsAt: expect.any(Number),
  })

  await start('two', 'Run: touch a')
  await eventually(async () =>
    expect(await hub.call('getSession', { sessionId: 'two' })).toMatchObject({ status: 'done' }),
  )
  const { id } = await hub.call<{ id: string }>('getSession', { sessionId: 'two' })
  await page.goto(`${page.url().split('#')[0]}#/s/${id}`)
  await page.getByText(`Remembered: ${rule}`).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText(`Remembered: ${rule}`).waitFor({ state: 'detached' })
  await page.getByText('Remembered before, and over: 1').click()
  await page
    .getByRole('listitem')
    .getByText(/in all sessions in its folder.*; revoked by .*, \d{4}-/)
    .waitFor()
  expect(await hub.call('listGrants')).toEqual([])
})

test('a person chooses an offered rule, reads its very text and what it would have allowed, and says yes twice where that was denied; the next such call is not asked about (asked for: 9)', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('zero', 'Run: install -d made/bad')
  await page.getByRole('button', { name: /^Deny/ }).click()
  await page.getByRole('textbox').press('Enter')
  await page.getByText(/^Denied by/).waitFor()

  await start('one', 'Run: install -d made/good')
  await page.getByRole('button', { name: /Next question/ }).click()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.postData() ?? ''))
  const offersRead = () => asked.filter((body) => body.includes('offerRules')).length
  await page.getByRole('button', { name: /Do not ask again/ }).waitFor()
  expect(offersRead()).toBe(0)
  await page.getByRole('button', { name: /Do not ask again/ }).click()
  await page.getByRole('radio', { name: /in all sessions in its folder/ }).check()
  const wide = page.getByRole('radio', { name: /command "install \*"/ })
  await wide.check()
  expect(offersRead()).toBe(1)
  const text = await page.locator('.remember pre').textContent()
  await page
    .getByText(
      /1 of the 1 question since .*, and 1 of these was denied: zero\.1 Bash\(install -d made\/bad\)/,
    )
    .waitFor()
  await page.getByRole('button', { name: /Allow, and do not ask again/ }).click()
  await page.getByText(/would have allowed what was denied/).waitFor()
  expect(await hub.call('listGrants')).toEqual([])
  await page.getByRole('button', { name: /all the same/ }).click()
  await page.getByText(/^Allowed by/).waitFor()
  expect(await hub.call('listGrants')).toMatchObject([{ scope: 'folder', texts: [text] }])

  await start('two', 'Run: install -d made/other')
  await eventually(async () =>
    expect(await hub.call('getSession', { sessionId: 'two' })).toMatchObject({ status: 'done' }),
  )
})
