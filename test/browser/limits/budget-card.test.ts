/** The card about a budget of which most is used: its three answers, and what they do, with a real session at work. */
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { signedInPage } from '../../rig/browser/browser.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { eventually } from '../../rig/tools/eventually.ts'

const bash = (command: string) => tools(use('Bash', { command }))
const EIGHT = Array.from({ length: 8 }, (_, index) => bash(`touch file-${index}`))

/** A session that has used 9 of its 10 calls, and waits for a yes: it is still at work. */
async function lowOnBudget() {
  const place = await hubPlace({
    scenario: { main: [...EIGHT, bash('mv file-0 moved'), say('It is done.')] },
  })
  const hub = await place.start()
  const { id } = await hub.call<{ id: string }>('createSession', {
    options: {
      name: 'web',
      workingDirectory: place.project,
      allowedTools: ['Bash(touch *)'],
      budget: { toolCalls: 10 },
    },
    content: 'make them',
  })
  place.sessions.add(id)
  const page = await signedInPage(hub, { viewport: { width: 1200, height: 720 }, colorScheme: 'light' })
  await page.locator('.row button', { hasText: 'tool calls' }).click()
  await page.getByRole('group', { name: /Raise the limit, continue, or stop/ }).waitFor()
  const session = () =>
    hub.call<{ status: string; budget?: object; stopped?: boolean }>('getSession', { sessionId: id })
  const answer = async (name: RegExp) => {
    await page.getByRole('radio', { name }).check()
    await page.getByRole('button', { name: 'Send the answer' }).click()
  }
  return { page, hub, session, answer }
}

test('a budget is raised from its card; the work goes through, and the card says what was decided (asked for: 4)', async () => {
  const { page, hub, session, answer } = await lowOnBudget()
  expect(await page.getByText(/have used 8 of 10 tool calls|have used 9 of 10 tool calls/).count()).toBe(1)
  await answer(/^raise to 15 tool calls/)
  await eventually(async () => expect(await session()).toMatchObject({ budget: { toolCalls: 15 } }))
  const [decided] = await hub.call<object[]>('decisions')
  expect(decided).toMatchObject({
    kind: 'budget',
    status: 'allowed',
    decision: { action: 'raise', limit: 15 },
  })
  await page.locator('.row button', { hasText: 'mv file-0' }).click()
  await page.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).click()
  await eventually(async () => expect(await session()).toMatchObject({ status: 'done' }))
})

test('a budget is raised to an amount that a person types; one below the limit is refused on the card (asked for: 4)', async () => {
  const { page, session } = await lowOnBudget()
  await page.getByLabel('Or something else').fill('raise to 3')
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await page
    .getByRole('alert')
    .getByText(/is no answer/)
    .waitFor()
  await page.getByLabel('Or something else').fill('raise by 20')
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await eventually(async () => expect(await session()).toMatchObject({ budget: { toolCalls: 30 } }))
})

test('continue: the limit stays, and it is not asked about again (asked for: 4)', async () => {
  const { page, hub, session, answer } = await lowOnBudget()
  await answer(/^continue/)
  await page.locator('.row button', { hasText: 'mv file-0' }).click()
  await page.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).click()
  await eventually(async () => expect(await session()).toMatchObject({ status: 'done' }))
  expect(await hub.call<object[]>('pending')).toEqual([])
  expect(await session()).not.toHaveProperty('budget')
})

test('stop: the work ends, its question is withdrawn, and the page says so (asked for: 4)', async () => {
  const { page, hub, session, answer } = await lowOnBudget()
  await answer(/^stop/)
  await eventually(async () => expect(await session()).toMatchObject({ status: 'interrupted' }))
  await page
    .getByText('Nothing waits for you')
    .or(page.getByText(/^Inbox$/))
    .first()
    .waitFor()
  expect(await hub.call<object[]>('pending')).toEqual([])
})
