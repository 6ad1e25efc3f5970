import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'

interface AxeRun {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

test.each(['light', 'dark'] as const)('axe finds nothing to complain about, in %s', async (colorScheme) => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub, { colorScheme })
  const id = await start('web', 'Edit the settings.')
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const faults: unknown[] = []
  const check = async () => {
    const run = (await page.evaluate(`${axe}; axe.run()`)) as AxeRun
    faults.push(
      ...run.violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html.slice(0, 200))]),
    )
  }
  await page.locator('.diff').waitFor()
  await check()
  await page.goto(`${hub.url}/#/s/${id}`)
  await page.locator('.item.call').first().waitFor()
  await check()
  await page.goto(`${hub.url}/#/notices`)
  await page.getByText('Notify me when').waitFor()
  await check()
  expect(faults).toEqual([])
})

test('a keyboard alone is enough: move, deny with a reason, go to the next, allow', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('one', 'Run: touch one')
  await page.getByRole('button', { name: 'Deny' }).and(page.locator(':enabled')).waitFor()
  await page.keyboard.press('d')
  await page.getByRole('textbox').waitFor()
  await page.keyboard.type('not now')
  await page.keyboard.press('Enter')
  await page.getByText(/^Denied by/).waitFor()
  await start('two', 'Run: touch two')
  await page.getByRole('button', { name: 'Next question' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('button', { name: 'Allow once' }).and(page.locator(':enabled')).waitFor()
  await page.keyboard.press('a')
  await page.getByText(/^Allowed by/).waitFor()
  const decided = await hub.call<{ status: string }[]>('decisions')
  expect(decided.map(({ status }) => status)).toEqual(['allowed', 'denied'])
})
