import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aSession, anApproval, aStep } from '../contracts/rows.ts'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'
import { inHome } from '../rig/browser/long-transcript.ts'
import { hubPlace } from '../rig/hubs/hub.ts'

interface Branch {
  readonly node: { readonly turn: number; readonly sessionId: string; readonly assistantUuid: string }
  readonly branches: readonly Branch[]
}

test('a session is started in a folder that was found by typing, with the keyboard alone', async () => {
  const { hub, place } = await askingHub()
  for (const name of ['alpha', 'alpine', '.hidden']) await mkdir(join(place.project, name))
  await writeFile(join(place.project, 'alphabet.txt'), '')
  const page = await signedInPage(hub)
  await page.getByRole('link', { name: 'Start a session' }).click()
  const field = page.getByRole('combobox', { name: 'Folder' })
  await field.focus()
  await page.keyboard.type(`${place.project}/al`)
  const options = page.getByRole('listbox', { name: 'Folders' }).getByRole('option')
  await expect
    .poll(() => options.allTextContents())
    .toEqual([`${place.project}/alpha`, `${place.project}/alpine`])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await field.getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'))
  await page.keyboard.press('Enter')
  expect(await field.inputValue()).toBe(`${place.project}/alpine/`)
  await field.fill(`${place.project}/nowhere/x`)
  await page.getByText(`There is no folder ${place.project}/nowhere`).waitFor()
  await field.fill(`${place.project}/alpine`)
  await page.keyboard.press('Escape')
  await page.getByLabel('What to do').fill('Run: touch x')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText('It needs you').waitFor()
  const [session] = await hub.call<{ id: string; workingDirectory: string }[]>('listSessions')
  place.sessions.add(session?.id ?? '')
  expect(session?.workingDirectory).toBe(join(place.project, 'alpine'))
})

test('a click on Start counts while folders are offered, and the question is one more click away', async () => {
  const { hub, place } = await askingHub()
  await mkdir(join(place.project, 'alpha'))
  const page = await signedInPage(hub)
  await page.getByRole('link', { name: 'Start a session' }).click()
  await page.getByLabel('What to do').fill('Run: touch x')
  await page.getByRole('combobox', { name: 'Folder' }).focus()
  await page.keyboard.type(`${place.project}/al`)
  const offered = page.getByRole('listbox', { name: 'Folders' })
  await offered.getByRole('option', { name: join(place.project, 'alpha') }).waitFor()
  await page.keyboard.type('pha')
  const button = page.getByRole('button', { name: 'Start', exact: true })
  await button.scrollIntoViewIfNeeded()
  const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {}
  // Where the button was when the mouse went down.
  await page.mouse.click(x + width / 2, y + height / 2)
  await page.getByRole('link', { name: /^Answer / }).click()
  await page.locator('#question-title', { hasText: 'touch x' }).waitFor()
  const [session] = await hub.call<{ id: string; workingDirectory: string }[]>('listSessions')
  place.sessions.add(session?.id ?? '')
  expect(session?.workingDirectory).toBe(join(place.project, 'alpha'))
})

test('Enter starts what was typed, once; with Shift it is a new line, as where a session is spoken to', async () => {
  const { hub, place } = await askingHub()
  const page = await signedInPage(hub)
  await page.getByRole('link', { name: 'Start a session' }).click()
  const field = page.getByLabel('What to do')
  await field.fill('Say')
  await field.press('Enter')
  // Without a folder nothing starts, and the browser leads to it.
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Folder' }).evaluate((one) => one.matches(':focus')))
    .toBe(true)
  await page.getByRole('combobox', { name: 'Folder' }).fill(place.project)
  await page.keyboard.press('Escape')
  await page.getByText('Enter starts it, Shift Enter makes a new line').waitFor()
  await field.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('hello.')
  expect(await field.inputValue()).toBe('Say\nhello.')
  // A word of another script is chosen by Enter: that is not the end of the sentence.
  await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  // A key that is held comes again and again, and a second one may come before the first has started anything.
  for (let times = 0; times < 3; times++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.keyboard.press('Control+Enter')
  await page.locator('#session-title').waitFor()
  const say = page.getByLabel('Say something to it')
  await page.getByText('Enter sends it, Shift Enter makes a new line').waitFor()
  await page.getByText('Turn 1: done').waitFor()
  await say.fill('Again')
  for (let times = 0; times < 3; times++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.getByText('Turn 2: done').waitFor()
  expect(await say.inputValue()).toBe('')
  const all = await hub.call<{ id: string; turn: number }[]>('listSessions')
  for (const { id } of all) place.sessions.add(id)
  expect(all).toMatchObject([{ turn: 2 }])
  const { events } = await hub.call<{ events: { event: { type: string; content?: string } }[] }>(
    'readEvents',
    {
      sessionId: all[0]?.id,
      limit: 200,
    },
  )
  expect(events.flatMap(({ event }) => (event.type === 'prompt.accepted' ? event.content : []))).toEqual([
    'Say\nhello.',
    'Again',
  ])
})

test('a session with an open question needs its person, though the list was read before it asked', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await page.route('**/rpc', async (route) => {
    const response = await route.fetch()
    const isList = route.request().postData()?.includes('listSessions') === true
    const body = await response.text()
    // As the hub answered a moment earlier.
    await route.fulfill({ response, body: isList ? body.replaceAll('"waiting"', '"running"') : body })
  })
  const id = await start('web', 'Run: touch x')
  await page.getByText('Inbox (1)').waitFor()
  await page.goto(`${hub.url}/#/s/${id}`)
  await page.locator('.sessions li', { hasText: 'web needs you (1)' }).waitFor()
  await page.locator('.card', { hasText: /needs you ·/ }).waitFor()
  expect(await page.getByText(/\brunning\b/).count()).toBe(0)
})

test('sessions are found by name, folder and state', async () => {
  const { hub, start } = await askingHub()
  const page = await signedInPage(hub)
  await start('web', 'Say hello.')
  await start('shop', 'Run: touch x')
  await page.getByText('Inbox (1)').waitFor()
  await page.goto(`${hub.url}/#/sessions`)
  const rows = page.locator('.sessions li b')
  await expect.poll(() => rows.allTextContents()).toEqual(['shop', 'web'])
  await page.getByRole('searchbox').fill('needs')
  await expect.poll(() => rows.allTextContents()).toEqual(['shop'])
  await page.getByText('1 of 2 sessions').waitFor()
  await page.getByRole('searchbox').fill('web')
  await expect.poll(() => rows.allTextContents()).toEqual(['web'])
})

test('a session is forked after an earlier turn', async () => {
  const { hub, place, start } = await askingHub()
  const id = await start('web', 'Say hello.')
  await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
  await hub.call('startTurn', { sessionId: id, content: 'Say it again.' })
  const page = await signedInPage(hub)
  await page.goto(`${hub.url}/#/s/${id}`)
  await page.getByText('Turn 2: done').waitFor()
  await page
    .locator('.item.turn', { hasText: 'Turn 1' })
    .getByRole('button', { name: 'Fork from here' })
    .click()
  await page.waitForURL((url) => url.hash.startsWith('#/s/') && !url.hash.includes(id))
  const fork = new URL(page.url()).hash.slice('#/s/'.length)
  place.sessions.add(fork)
  const tree = await hub.call<Branch[]>('tree', { sessionId: id })
  const [first] = tree
  const origin = (await hub.call<{ origin: object }>('getSession', { sessionId: fork })).origin
  expect(first?.node).toMatchObject({ turn: 1, sessionId: id })
  // A fork continues after the last message of the turn.
  expect(origin).toMatchObject({ kind: 'fork', from: id, at: first?.node.assistantUuid })
})

test('the timeline of a session has what was asked in all sessions below it, in order, and leads to each', async () => {
  const ids = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const
  const place = await hubPlace()
  const now = Date.now()
  await inHome(place.home, async (store) => {
    const past = { updatedAt: now, status: 'done', turn: 1, workingDirectory: place.project } as const
    await store.sessions.create(aSession({ id: ids[0], name: 'parent', ...past }))
    await store.sessions.create(aSession({ id: ids[1], name: 'below', parentId: ids[0], ...past }))
    for (const [at, id, sessionId, status] of [
      [3, 'q3', ids[0], 'denied'],
      [1, 'q1', ids[0], 'allowed'],
      [2, 'q2', ids[1], 'allowed'],
    ] as const) {
      const settled = { status, by: 'laptop', settledAt: now + at + 2_000, delivery: 'acknowledged' } as const
      const asked = anApproval({ id, sessionId, openedAt: now + at, ...settled })
      const event = {
        type: 'tool.used',
        toolUseId: `toolu-${id}`,
        toolName: 'Bash',
        input: { command: `echo ${id}` },
      } as const
      const opened = {
        type: 'approval.opened',
        approvalId: asked.id,
        kind: 'tool',
        requestId: id,
        toolName: 'Bash',
        input: {},
        toolUseId: `toolu-${id}`,
      } as const
      const events = [event, opened].map((each) => ({ turn: 1, event: each }))
      await store.journal.append({
        ...aStep(0),
        sessionId: asked.sessionId,
        at: now,
        events,
        opened: [asked],
      })
    }
  })
  const hub = await place.start()
  const page = await signedInPage(hub)
  await page.goto(`${hub.url}/#/s/${ids[0]}`)
  await page.getByText('Timeline: 3 questions, in 2 sessions').click()
  const rows = page.locator('.timeline tbody tr')
  await expect
    .poll(async () =>
      (await rows.allTextContents()).map((text) => /(parent|below).*echo (q\d)(.*)/.exec(text)?.slice(1, 4)),
    )
    .toEqual([
      ['parent', 'q1', 'allowed by laptop, ran2 s'],
      ['below', 'q2', 'allowed by laptop, ran2 s'],
      ['parent', 'q3', 'denied by laptop2 s'],
    ])
  await rows.nth(1).getByRole('link', { name: 'below' }).click()
  await page.locator('#session-title', { hasText: 'below' }).waitFor()
  await page.locator('.item.marked', { hasText: 'echo q2' }).waitFor()
  await page.goto(`${hub.url}/#/s/${ids[0]}`)
  await page.getByText('Timeline: 3 questions').click()
  await rows.nth(2).getByRole('link', { name: 'Bash' }).click()
  await page.getByText(/^Denied by laptop/).waitFor()
})
