import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Reply, say, tools, use } from '../../src/demo/scenario.ts'
import { signedInPage } from '../rig/browser/browser.ts'
import { hubPlace } from '../rig/hubs/hub.ts'

const COMMAND = 'npm run --silent lint && npx oxfmt --check --no-error-on-empty -l src && touch x'
const OLD = '"lint": "oxlint --type-aware && oxfmt --write"'
const NEW = '"lint": "oxlint --type-aware && oxfmt --check --no-error-on-empty"'

/** The lines of a text as the browser has broken them. */
function brokenLines(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`(() => {
    const lines = []
    let last = -1
    const texts = document.createTreeWalker(document.querySelector('${selector}'), NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      for (const at of node.textContent.split('').keys()) {
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const { bottom, height } = range.getBoundingClientRect()
        if (height > 0 && Math.abs(bottom - last) > height / 2) {
          lines.push('')
          last = bottom
        }
        if (lines.length > 0) lines[lines.length - 1] += node.textContent[at]
      }
    return lines
  })()`)
}

test('on a phone no line ends inside an option: in a command, its sentence and a diff; the text is as it was', async () => {
  const left = new Map<string, Reply[]>()
  let file = ''
  const place = await hubPlace({
    scenario: {
      main: ({ sessionId = '', lastUserText, toolResults }) => {
        if (toolResults.length === 0)
          left.set(
            sessionId,
            lastUserText.includes('Edit')
              ? [
                  tools(use('Read', { file_path: file })),
                  tools(use('Edit', { file_path: file, old_string: OLD, new_string: NEW })),
                ]
              : [tools(use('Bash', { command: COMMAND }))],
          )
        return left.get(sessionId)?.shift() ?? say('It is done.')
      },
    },
  })
  file = join(place.project, 'package.json')
  await writeFile(file, `{\n  ${OLD}\n}\n`)
  const hub = await place.start()
  const page = await signedInPage(hub, { viewport: { width: 390, height: 844 } })
  const start = async (name: string) => {
    const options = { name, workingDirectory: place.project }
    place.sessions.add((await hub.call<{ id: string }>('createSession', { options, content: name })).id)
  }
  const endsOfLines = async (selector: string) => {
    const ends: string[] = []
    for (let width = 320; width <= 420; width += 9) {
      await page.setViewportSize({ width, height: 844 })
      const lines = await brokenLines(page, selector)
      expect(lines.length).toBeGreaterThan(1)
      ends.push(...lines.map((line) => line.trimEnd()).filter((line) => line.endsWith('-')))
    }
    return ends
  }
  await start('Run')
  await page.locator('.command').waitFor()
  expect(await page.locator('.command').textContent()).toBe(COMMAND)
  expect(await endsOfLines('.command')).toEqual([])
  expect(await endsOfLines('#question-title')).toEqual([])
  await page.getByRole('heading', { name: `wants to run: ${COMMAND}` }).waitFor()
  await start('Edit')
  await page.locator('.row button', { hasText: 'Edit' }).click()
  await page.locator('.diff .changed', { hasText: 'check' }).first().waitFor()
  expect(await endsOfLines('.diff')).toEqual([])
  expect(await page.locator('.diff .added').textContent()).toContain(NEW)
})
