import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply } from '../../../src/demo/scenario.ts'
import { signedInPage } from '../../rig/browser/browser.ts'
import { chooseThere, say } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { sessionsOf } from '../../rig/terminals/terminal-questions.ts'
import { run } from '../../rig/terminals/terminal-scripts.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

test.runIf(hasTerminal)(
  'the page has the question of a terminal: one is allowed there, the next is answered in the terminal',
  async () => {
    const { place, open } = await terminalPlace({
      main: [run('mkdir by-page'), run('mkdir by-key'), reply('all answered')],
    })
    const hub = await place.start()
    const page = await signedInPage(hub)
    const terminal = await open()
    await say(terminal, 'begin')
    await page.getByText('mkdir by-page').first().waitFor()
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByText(/^Allowed by .*page/).waitFor()
    await terminal.sees('mkdir by-key')
    expect(existsSync(join(place.project, 'by-page'))).toBe(true)

    await page.getByRole('button', { name: /Next question/ }).click()
    await page.getByText('mkdir by-key').first().waitFor()
    await chooseThere(terminal, 'Yes')
    await page.getByText(/^Answered in the terminal/).waitFor()
    await terminal.sees('all answered')

    const [session] = await sessionsOf(hub)
    await page.goto(`${hub.url}/#/s/${session?.id ?? ''}`)
    await page.getByRole('heading', { name: session?.name ?? '', exact: true }).waitFor()
    await page.getByText('mode terminal').waitFor()
    await page.getByText('It is open in a terminal: speak to it there.').waitFor()
    expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0)
    expect(await page.getByLabel('Say something to it').count()).toBe(0)
    terminal.close()
    await page.getByLabel('Say something to it').waitFor()
  },
)
