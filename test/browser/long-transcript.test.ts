import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { say } from '../../src/demo/scenario.ts'
import { aSession } from '../contracts/rows.ts'
import { signedInPage } from '../rig/browser/browser.ts'
import { addLongPast, inHome } from '../rig/browser/long-transcript.ts'
import { hubPlace } from '../rig/hubs/hub.ts'

const EVENTS = 3_000

async function longSession() {
  const id = randomUUID()
  const place = await hubPlace({ scenario: { main: () => say('A new answer.') } })
  await inHome(place.home, async (store) => {
    const past = {
      updatedAt: Date.now(),
      status: 'done',
      turn: EVENTS / 20,
      workingDirectory: place.project,
    } as const
    await store.sessions.create(aSession({ id, name: 'long', ...past }))
    await addLongPast(store, id, EVENTS)
  })
  const hub = await place.start()
  place.sessions.add(id)
  const page = await signedInPage(hub, { viewport: { width: 1_000, height: 800 } })
  await page.goto(`${hub.url}/#/s/${id}`)
  await page.getByText('needle-2990').waitFor()
  return { hub, page, id }
}

const scroller = (page: Page) => page.locator('.scroller')

const entries = async (page: Page) =>
  Number(await page.locator('[aria-setsize]').first().getAttribute('aria-setsize'))

/** The rows that are in the view now, by their numbers, with where each begins. */
function rowsInView(page: Page): Promise<{ number: number; top: number }[]> {
  return scroller(page).evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect()
    return [...box.querySelectorAll('[aria-posinset]')].flatMap((row) => {
      const place = row.getBoundingClientRect()
      const isIn = place.bottom > top && place.top < bottom
      return isIn ? [{ number: Number(row.getAttribute('aria-posinset')), top: place.top - top }] : []
    })
  })
}

test('every entry of a long transcript can be scrolled to, in order, while few are in the document', async () => {
  const { page } = await longSession()
  const swept = await scroller(page).evaluate(async (box) => {
    const view = box.ownerDocument.defaultView
    const frame = () => new Promise((resolve) => view?.requestAnimationFrame(resolve))
    const [seen, sizes, faults]: [Set<number>, number[], string[]] = [new Set(), [], []]
    box.scrollTop = 0
    for (let step = 0; step < 5_000; step++) {
      await frame()
      await frame()
      const rows = [...box.querySelectorAll('[aria-posinset]')].map((row) =>
        Number(row.getAttribute('aria-posinset')),
      )
      if (rows.some((number, index) => index > 0 && number !== (rows[index - 1] ?? 0) + 1))
        faults.push(rows.join())
      for (const number of rows) seen.add(number)
      sizes.push(rows.length)
      if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) break
      box.scrollTop += box.clientHeight
    }
    const count = Number(box.querySelector('[aria-setsize]')?.getAttribute('aria-setsize'))
    return { seen: seen.size, count, most: Math.max(...sizes), faults }
  })
  expect(swept).toMatchObject({ seen: swept.count, faults: [] })
  expect(swept.count).toBeGreaterThan(1_000)
  expect(swept.most).toBeLessThan(120)
})

test('what a reader looks at stays where it is while events arrive; at the end the newest is shown', async () => {
  const { hub, page, id } = await longSession()
  await scroller(page).evaluate((box) => box.scrollTo(0, box.scrollHeight / 2))
  await page.getByRole('button', { name: 'To the end' }).waitFor()
  const [before, count] = [await rowsInView(page), await entries(page)]
  await hub.call('startTurn', { sessionId: id, content: 'Once more.' })
  await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
  // The number of entries says that the page has the new ones.
  await expect.poll(() => entries(page)).toBeGreaterThan(count + 1)
  const after = await rowsInView(page)
  expect(after.map(({ number }) => number)).toEqual(before.map(({ number }) => number))
  for (const [index, { top }] of after.entries()) expect(top).toBeCloseTo(before[index]?.top ?? Number.NaN, 0)
  await page.getByRole('button', { name: 'To the end' }).click()
  await page.getByText('A new answer.').first().waitFor()
  const shown = await entries(page)
  await hub.call('startTurn', { sessionId: id, content: 'And again.' })
  await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
  await expect.poll(() => entries(page)).toBeGreaterThan(shown + 1)
  const isAtEnd = await scroller(page).evaluate(
    (box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 9,
  )
  expect(isAtEnd).toBe(true)
})

test('a search and a link to a question find what is not in the document', async () => {
  const { hub, page, id } = await longSession()
  expect(await page.getByText('needle-505').count()).toBe(0)
  await page.getByLabel('Search the transcript').fill('needle-505 ')
  await page.keyboard.press('Enter')
  await page.locator('.item.marked', { hasText: 'needle-505' }).waitFor()
  expect(await page.getByText('1 of 1 found').count()).toBe(1)
  await page.getByRole('button', { name: 'Next question' }).click()
  await page.locator('.item.marked', { hasText: 'part-506' }).waitFor()
  await page.goto(`${hub.url}/#/s/${id}/question-1010`)
  await page.locator('.item.marked', { hasText: 'part-1011' }).waitFor()
})

test('what was unfolded stays unfolded, and the keyboard still scrolls, after it has left the document', async () => {
  const { page } = await longSession()
  await page.getByLabel('Search the transcript').fill('part-506 ')
  await page.keyboard.press('Enter')
  const call = page.locator('.item.marked')
  await call.locator('summary').click()
  await call.getByText('ok 509').waitFor()
  await call.locator('summary').focus()
  await scroller(page).evaluate((box) => box.scrollTo(0, 0))
  await page.getByText('Prompt 0:').waitFor()
  expect(await scroller(page).evaluate((box) => box === box.ownerDocument.activeElement)).toBe(true)
  await page.keyboard.press('End')
  await page.getByText('needle-2990').waitFor()
  await page.getByLabel('Search the transcript').press('Enter')
  await call.getByText('ok 509').waitFor()
})

test('a scroll that the browser has not reported yet is not undone when the scroll before it is over', async () => {
  const { page } = await longSession()
  const top = await scroller(page).evaluate(async (box) => {
    const window = box.ownerDocument.defaultView
    if (!window) throw new Error('There is no window.')
    const frame = () => new Promise((resolve) => window.requestAnimationFrame(resolve))
    const later = window.setTimeout
    const waiting: (() => void)[] = []
    Object.assign(window, { setTimeout: (work: () => void) => waiting.push(work) })
    box.scrollTo(0, 5_000)
    await frame()
    await frame()
    Object.assign(window, { setTimeout: later })
    box.scrollTo(0, 1_000)
    for (const work of waiting) work()
    return box.scrollTop
  })
  expect(Math.abs(top - 1_000)).toBeLessThan(2)
})
