import { expect, test } from 'vitest'
import { askingHub } from '../rig/browser/asking-sessions.ts'
import { signedInPage } from '../rig/browser/browser.ts'

const HOSTILE = [
  '<img src=x onerror=window.hit=1>',
  '<script>window.hit=1</script>',
  '"><svg onload=window.hit=1>',
  'javascript:window.hit=1',
  // The CLI itself refuses a command with control characters.
  '\u202Ereversed\u202C \u200Bhidden',
]

test('S10: what a child writes is text, in the list, on the card, in the transcript and in the name', async () => {
  const { hub, start } = await askingHub({ hostile: `echo '${HOSTILE.join(' ')}'` })
  const page = await signedInPage(hub)
  const id = await start(`n ${HOSTILE.slice(0, 3).join(' ')}`, 'Run: hostile', {
    supervise: 'all',
  })
  await page.getByRole('button', { name: 'Allow once' }).waitFor()
  expect(await page.locator('.command').textContent()).toContain('\\u{202e}reversed\\u{202c} \\u{200b}hidden')
  await page.goto(`${hub.url}/#/s/${id}`)
  await page.locator('.item.call').waitFor()
  await page.locator('.item.call summary').click()
  expect(await page.evaluate('[document.images.length, document.scripts.length, "hit" in window]')).toEqual([
    0,
    1,
    false,
  ])
})

test('S5: a server on another port of this machine gets nothing of the page, and may not read it', async () => {
  const { hub } = await askingHub()
  const page = await signedInPage(hub)
  const { createServer } = await import('node:http')
  const seen: string[] = []
  const other = createServer((request, response) => {
    seen.push(JSON.stringify(request.headers))
    response.setHeader('content-type', 'text/html').end('<p>other</p>')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const stranger = await page.context().newPage()
  await stranger.goto(`http://127.0.0.1:${port}/`)
  const read = await stranger.evaluate(
    (url) =>
      fetch(`${url}/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }).then(
        ({ status }) => status,
        () => 'refused',
      ),
    hub.url,
  )
  const kept = await stranger.evaluate('[sessionStorage.length, localStorage.length]')
  other.close()
  expect([read, kept]).toEqual(['refused', [0, 0]])
  expect(seen.join()).not.toMatch(/authorization|cookie|plexus/i)
})
