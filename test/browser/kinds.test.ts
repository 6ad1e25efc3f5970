/** Every kind of question on the page, several at once, and on a phone. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'

const PHONE = { width: 360, height: 740 }
const SERVER = join(import.meta.dirname, '../fixtures/asking-mcp-server.mjs')

test('a plan is read as text with its three answers, and rejected with feedback', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Plan it.', { permissionMode: 'plan' })
  await page.getByRole('heading', { name: 'Make settings optional' }).waitFor()
  expect(await page.locator('strong', { hasText: 'no settings' }).count()).toBe(1)
  for (const name of [/^Approve a/, /^Approve, edits unasked/, /^Reject with feedback/])
    expect(await page.getByRole('button', { name }).count()).toBe(1)
  await page.getByRole('button', { name: /^Reject with feedback/ }).click()
  await page.getByRole('textbox').fill('Keep the error.')
  await page.keyboard.press('Enter')
  await page.getByText('Keep the error.').waitFor()
  expect(await hub.call<object[]>('decisions')).toMatchObject([{ kind: 'plan', status: 'denied' }])
})

test('a question is answered by a choice, which the session reads', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Ask me.')
  await page
    .getByLabel(/^Postgres/)
    .first()
    .check()
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await page.getByText(/^(Allowed|Answered) by/).waitFor()
  const [decided] = await hub.call<{ decision: { updatedInput: { answers: object } } }[]>('decisions')
  expect(Object.values(decided?.decision.updatedInput.answers ?? {})).toEqual(['Postgres'])
})

test('a question is dismissed only by a second press, and the page says that it has no answer', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Ask me.')
  await page.getByLabel('Postgres').check()
  await page.getByRole('button', { name: /^Dismiss: no answer/ }).click()
  await page.getByRole('button', { name: /^Back/ }).click()
  // What was chosen is still there.
  expect(await page.getByLabel('Postgres').isChecked()).toBe(true)
  await page.getByRole('button', { name: /^Dismiss: no answer/ }).click()
  await page.getByText(/neither a yes nor a no/).waitFor()
  expect(await hub.call<object[]>('decisions')).toEqual([])
  await page.getByRole('button', { name: /^Dismiss it/ }).click()
  await page.getByText(/^Dismissed by/).waitFor()
  expect(await hub.call<object[]>('decisions')).toMatchObject([{ end: 'dismissed' }])
  // What could have been chosen is still there to read.
  expect(await page.locator('.card .asked').textContent()).toMatch(/Which database.*SQLite.*Postgres/)
})

test('a plan is edited as text, and approved only by the next press', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Plan it.', { permissionMode: 'plan' })
  await page.getByRole('button', { name: /^Edit/ }).click()
  expect(await page.getByRole('textbox').inputValue()).toMatch(/^# Make settings optional\n/)
  await page.getByRole('textbox').fill('# Only a test')
  await page.getByRole('button', { name: 'Show the plan as edited' }).click()
  await page.getByText('It is not approved yet.').waitFor()
  await page.getByRole('button', { name: /^Approve it as edited/ }).click()
  await page.getByText(/^Allowed as edited by/).waitFor()
  const [decided] = await hub.call<{ decision: { updatedInput: object } }[]>('decisions')
  expect(decided?.decision.updatedInput).toMatchObject({ plan: '# Only a test' })
})

test('a form that a server of the session asks for is filled in', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Greet me.', {
    mcpServers: { asking: { command: process.execPath, args: [SERVER] } },
    allowedTools: ['mcp__asking__greet'],
  })
  await page.getByText('Who are you?').first().waitFor()
  await page.getByLabel('name').fill('Ann')
  await page.getByRole('button', { name: /Send|Submit|Accept/ }).click()
  await page.getByText(/^(Allowed|Accepted|Answered) by/).waitFor()
  expect(await hub.call<object[]>('decisions')).toMatchObject([
    { kind: 'form', decision: { action: 'accept', content: { name: 'Ann' } } },
  ])
})

test('what is asked several times is one decision', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  for (const name of ['one', 'two', 'three']) await start(name, 'Run: touch same')
  // The first that asks is the one in focus.
  await page.getByText('Inbox (3)').waitFor()
  await start('other', 'Run: touch other')
  await page.getByText('Inbox (4)').waitFor()
  await page.getByText('Asked 3 times in 3 sessions.').waitFor()
  await page.getByRole('button', { name: 'Select all 3' }).click()
  await page.getByText(/^3 selected: 3 times .*touch same$/).waitFor()
  await page.getByRole('button', { name: /^Deny these 3/ }).click()
  await page.getByText('3 questions were denied:').waitFor()
  expect(
    (await page.locator('.batch li').allTextContents()).map((text) => text.slice(0, 5)).toSorted(),
  ).toEqual(['one.1', 'three', 'two.1'])
  await page.getByText('Inbox (1)').waitFor()
  const decided = await hub.call<{ status: string }[]>('decisions')
  expect(decided.map(({ status }) => status)).toEqual(['denied', 'denied', 'denied'])
})

test('on a phone the note of a decision over several moves nothing, and leads to the card of each', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub, { viewport: PHONE })
  await start('web', 'Edit the settings.')
  await page.locator('.diff').waitFor()
  for (const name of ['one', 'two']) await start(name, 'Run: touch same')
  await page.getByText('Inbox (3)').waitFor()
  for (const name of ['one', 'two'])
    await page
      .locator('.row', { hasText: `${name} wants to run` })
      .getByLabel('Select')
      .check()
  const top = () => page.evaluate<number>(`document.querySelector('.card').offsetTop`)
  const before = await top()
  await page.getByRole('button', { name: /^Deny these 2/ }).click()
  await page.getByText('2 questions were denied:').waitFor()
  expect(await top()).toBe(before)
  const link = page.locator('.batch').getByRole('link', { name: 'two.1' })
  await link.scrollIntoViewIfNeeded()
  await link.click()
  await page.locator('#question-title', { hasText: 'was not allowed to run: touch same' }).waitFor()
  const seen = async () => (await page.locator('.card').boundingBox())?.y ?? Number.NaN
  await expect.poll(seen).toBeGreaterThanOrEqual(40)
  expect(await seen()).toBeLessThan(PHONE.height / 2)
})

test('on a phone nothing is wider than the screen, and allow and deny lie apart at its end', async () => {
  const { hub, place, start } = await askingHub()
  const page = await signedInPage(hub, { viewport: PHONE })
  await start('web', `Run: touch made && echo ${'x'.repeat(300)}`)
  const [allow, deny] = [/^Allow once/, /^Deny/].map((name) => page.getByRole('button', { name }))
  await allow?.waitFor()
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(wide).toBeLessThanOrEqual(PHONE.width)
  const [first, second] = [await allow?.boundingBox(), await deny?.boundingBox()]
  if (!first || !second) throw new Error('The buttons are not on the screen.')
  expect(first.y + first.height).toBeLessThanOrEqual(PHONE.height)
  const [left, right] = first.x < second.x ? [first, second] : [second, first]
  const gap = left.y === right.y ? right.x - (left.x + left.width) : Math.abs(first.y - second.y)
  expect(gap).toBeGreaterThanOrEqual(8)
  await allow?.click()
  await page.getByText(/^Allowed by/).waitFor()
  await expect.poll(() => existsSync(join(place.project, 'made'))).toBe(true)
})
