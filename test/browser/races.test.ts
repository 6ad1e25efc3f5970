import { expect, test } from 'vitest'
import { eventually } from '../rig/tools/eventually.ts'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { askingChild } from '../rig/cli/asking-child.ts'
import { signedInPage } from '../rig/browser/browser.ts'

const MANY = 200
/** A session has at most 64 questions open at a time. */
const CHILDREN = 4

test('two tabs and a terminal answer one question: one wins, and every tab shows who', async () => {
  const { hub, start } = await askingHub()
  const [first, second] = [await signedInPage(hub), await signedInPage(hub)]
  await start('web', 'Run: touch x')
  for (const page of [first, second]) await page.getByRole('button', { name: 'Allow once' }).waitFor()
  const [question] = await hub.call<{ id: string }[]>('pending')
  await Promise.all([
    // A button that goes away before the click has lost.
    ...[first, second].map((page) =>
      page
        .getByRole('button', { name: 'Allow once' })
        .click({ timeout: 3_000 })
        .catch(() => {}),
    ),
    hub.call('answer', { approvalId: question?.id, approve: false, message: 'no' }).catch(() => {}),
  ])
  const sentences = await Promise.all(
    [first, second].map((page) => page.getByText(/^(Allowed|Denied) by/).textContent()),
  )
  const [decision] = await hub.call<{ status: string; by: string }[]>('decisions')
  for (const sentence of sentences)
    expect(sentence?.toLowerCase()).toContain(`${decision?.status} by ${decision?.by}`.toLowerCase())
})

test('the hub is killed and started again under the page: the buttons are off meanwhile, and the question can be answered after', async () => {
  const { hub, place, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Run: touch x')
  const allow = page.getByRole('button', { name: 'Allow once' })
  await allow.waitFor()
  await hub.kill('SIGKILL')
  await page.getByText('The hub does not answer').waitFor()
  expect(await allow.isDisabled()).toBe(true)
  await place.start('--port', String(hub.port))
  await page.getByText('The hub does not answer').waitFor({ state: 'detached' })
  await allow.click()
  expect(await page.getByText(/^Allowed by/).textContent()).toContain('(page)')
})

test('while 200 questions arrive, the focus stays, and no key reaches another card', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  const id = await start('first', 'Run: touch first')
  await page.getByRole('button', { name: 'Allow once' }).waitFor()
  const children = await Promise.all(
    Array.from({ length: CHILDREN }, () => askingChild((method, params) => hub.call(method, params))),
  )
  const answers = children.flatMap((child) =>
    Array.from({ length: MANY / CHILDREN }, (_, number) =>
      child.permit({
        tool_name: 'Bash',
        input: { command: `touch ${number}` },
        tool_use_id: `toolu_${number}`,
      }),
    ),
  )
  const waiting = Promise.allSettled(answers)
  await eventually(async () => expect(await hub.call<unknown[]>('pending')).toHaveLength(MANY + 1))
  await page.getByText(`Inbox (${MANY + 1})`).waitFor()
  expect(await page.locator('#question-title').textContent()).toContain('touch first')
  const [mine] = (await hub.call<{ id: string; sessionId: string }[]>('pending')).filter(
    ({ sessionId }) => sessionId === id,
  )
  await hub.call('answer', { approvalId: mine?.id, approve: true })
  // The keys come after the question is settled elsewhere: they are for nobody.
  for (const key of ['a', 'd', 'a', 's', 's']) await page.keyboard.press(key)
  await page.getByText(/^Allowed by operator/).waitFor()
  expect(await hub.call<unknown[]>('pending')).toHaveLength(MANY)
  for (const child of children) await child.end()
  await waiting
})
