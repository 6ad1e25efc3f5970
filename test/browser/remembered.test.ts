import { expect, test } from 'vitest'
import type { GrantView } from '../../src/engine/engine.ts'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'
import { eventually } from '../rig/tools/eventually.ts'

test('a person chooses where an answer is remembered, reads the very rule that is stored, and revokes it (asked for: 2) (asked for: 14)', async () => {
  const { hub, place, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('one', 'Run: touch a')
  await page.getByRole('button', { name: /For this session/ }).click()
  const text = page.locator('.answer-bar pre')
  expect(await text.textContent()).toContain('in session "')
  await page.getByRole('radio', { name: /in all sessions in its folder/ }).check()
  const rule = `allow exactly Bash "touch a", in folder ${JSON.stringify(place.project)}`
  expect(await text.textContent()).toBe(rule)
  await page.getByRole('checkbox', { name: /for 1 hour/ }).check()
  await page.getByRole('button', { name: /Confirm/ }).click()
  await page.getByText(/^Allowed by/).waitFor()
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
  expect(await hub.call('listGrants')).toEqual([])
})
