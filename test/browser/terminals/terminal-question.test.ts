import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply } from '../../../src/demo/scenario.ts'
import { signedInPage } from '../../rig/browser/browser.ts'
import { grantNotices, ShownNotices } from '../../rig/browser/shown-notices.ts'
import { chooseThere, say, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { questions, sessionsOf } from '../../rig/terminals/terminal-questions.ts'
import { madeIn, MAKES, makes, run } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

test.runIf(hasTerminal)(
  'the page has the question of a terminal: one is allowed there, the next is answered in the terminal',
  { timeout: 90_000 },
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

test.runIf(hasTerminal)(
  'S52: a question of a terminal that arrives while nobody sees the page is one notice, which goes when it is answered there',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace({ main: [run('mkdir the-secret'), reply('all answered')] })
    const hub = await place.start()
    const page = await signedInPage(hub, { prepare: grantNotices, isRemembered: true })
    const notices = await ShownNotices.of(page)
    await page.getByRole('link', { name: 'Notices' }).click()
    await page.getByLabel('A session asks').check()
    await notices.hide(true)
    const terminal = await open()
    await say(terminal, 'begin')
    const [notice] = await notices.has(1)
    expect(notice).toMatchObject({ body: 'It wants to use Bash.', actions: ['deny', 'review'] })
    expect(JSON.stringify(notice)).not.toContain('secret')
    await seesDialog(terminal, 'mkdir the-secret')
    await chooseThere(terminal, 'Yes')
    await notices.has(0)
    await terminal.sees('all answered')
    expect(await notices.count()).toBe(1)
  },
)

test.runIf(hasTerminal)(
  'two terminals and a session of ours are in one inbox of the page',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace(MAKES)
    const hub = await place.start()
    const page = await signedInPage(hub)
    const own = await hub.call<{ id: string }>('createSession', {
      options: { workingDirectory: place.project, name: 'own' },
      content: 'Make own',
    })
    place.sessions.add(own.id)
    const terminals = [await open(), await open()]
    for (const [index, terminal] of terminals.entries()) await say(terminal, `Make there-${index}`)
    const asked = await questions(hub, 3)
    for (const name of ['own', 'there-0', 'there-1'])
      await page
        .getByRole('listitem')
        .filter({ hasText: makes(name) })
        .first()
        .waitFor()
    for (const _ of asked) {
      await page.getByRole('button', { name: 'Allow once' }).click()
      await page.getByText(/^Allowed by .*page/).waitFor()
      const next = page.getByRole('button', { name: /Next question/ })
      if ((await next.count()) > 0) await next.click()
    }
    for (const [index, terminal] of terminals.entries()) await terminal.sees(`It said: there-${index}`)
    expect(await questions(hub, 0)).toEqual([])
    await eventually(async () => expect(await madeIn(place.project)).toEqual(['own', 'there-0', 'there-1']))
  },
)
