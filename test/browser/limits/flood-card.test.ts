/** The one card that stands for the questions of a flood, with sub-agents that ask at once. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { signedInPage } from '../../rig/browser/browser.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { eventually } from '../../rig/tools/eventually.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e']
const agent = (name: string) =>
  use('Agent', { description: name, prompt: `the task of ${name}`, subagent_type: 'general-purpose' })

async function flooded() {
  const place = await hubPlace({
    scenario: {
      main: [tools(...NAMES.map(agent)), say('All are done.')],
      agents: Object.fromEntries(
        NAMES.map((name) => [
          `the task of ${name}`,
          [tools(use('Bash', { command: `touch ${name}` })), say(name)],
        ]),
      ),
    },
  })
  await mkdir(place.home, { mode: 0o700 })
  const config = { flood: { per_turn: 2, per_minute: 100 } }
  await writeFile(join(place.home, 'config.json'), JSON.stringify(config), { mode: 0o600 })
  const hub = await place.start()
  const { id } = await hub.call<{ id: string }>('createSession', {
    options: { name: 'web', workingDirectory: place.project, allowedTools: ['Agent'] },
    content: 'do them',
    timeoutMs: 0,
  })
  place.sessions.add(id)
  await eventually(async () => expect(await hub.call<object[]>('pending')).toHaveLength(NAMES.length))
  const page = await signedInPage(hub, { viewport: { width: 1200, height: 720 }, colorScheme: 'light' })
  await page.getByText('Inbox (3)').waitFor()
  await page.locator('.row button', { hasText: '3 more' }).click()
  await page.getByRole('group', { name: /3 more questions are waiting/ }).waitFor()
  const settled = async () =>
    (await hub.call<{ status: string; end?: string }[]>('decisions')).map(({ status, end }) => end ?? status)
  return { page, hub, settled }
}

const answer = async (page: Awaited<ReturnType<typeof flooded>>['page'], name: RegExp) => {
  await page.getByRole('radio', { name }).check()
  await page.getByRole('button', { name: 'Send the answer' }).click()
}

test('[13] a person sees two questions and one card for the rest, which offers to show or to deny and nothing else', async () => {
  const { page } = await flooded()
  expect(await page.getByRole('radio').count()).toBe(2)
  expect(await page.getByLabel('Or something else').count()).toBe(0)
  for (const name of [/^Decline/, /^Close/, /^Allow/])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
})

test('[13] shown, the held questions appear one after the other, and each is answered by itself', async () => {
  const { page, hub } = await flooded()
  type Asked = { held?: true; input: { command: string }; id: string }
  const held = (await hub.call<Asked[]>('pending')).filter((question) => question.held)
  await answer(page, /^show/)
  for (const [index, { input, id }] of held.entries()) {
    await page.locator('.row button', { hasText: input.command }).click()
    const later = held.slice(index + 1).map((question) => question.input.command)
    for (const command of later)
      expect(await page.locator('.row button', { hasText: command }).count()).toBe(0)
    await page.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).click()
    await eventually(async () =>
      expect(await hub.call('getApproval', { approvalId: id })).toMatchObject({ status: 'allowed' }),
    )
  }
  await page.getByText('Inbox (2)').waitFor()
})

test('[13] denied, all that were held are denied with their own rows, and the two that were shown stay', async () => {
  const { page, settled } = await flooded()
  await answer(page, /^deny them all/)
  await page.getByText('Inbox (2)').waitFor()
  expect((await settled()).filter((end) => end === 'with others')).toHaveLength(3)
})
