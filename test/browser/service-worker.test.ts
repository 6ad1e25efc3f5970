import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { builtPage } from '../../src/transports/page/page-files.ts'
import { newPage, signedInPage } from '../rig/browser/browser.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { hubPlace } from '../rig/hubs/hub.ts'
import { programPath } from '../rig/tools/build-programs.ts'
import { eventually } from '../rig/tools/eventually.ts'

const isControlled = (page: Page) =>
  eventually(async () => {
    if (!(await page.evaluate('navigator.serviceWorker.controller !== null')))
      throw new Error('The page has no service worker.')
  })

test('the page opens without its hub and says that it is away; when the hub is back, so is the page', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const page = await signedInPage(hub)
  await page.getByText('Nothing waits').waitFor()
  await isControlled(page)
  await hub.kill('SIGKILL')
  await page.reload()
  await page.getByText('The hub does not answer.').waitFor()
  expect(await page.getByRole('navigation').count()).toBe(1)
  const kept = await page.evaluate(`(async () => {
    const paths = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname)
    return paths.sort()
  })()`)
  // Pages that are loaded only when they are opened, too: they must open without the hub as well.
  const assets = await readdir(join(dirname(programPath('plexus')), 'page/assets'))
  expect(assets.length).toBeGreaterThan(2)
  expect(kept).toEqual(
    [
      '/',
      '/icon.svg',
      '/manifest.webmanifest',
      '/plain.css',
      ...assets.map((name) => `/assets/${name}`),
    ].toSorted(),
  )
  await place.start('--port', String(hub.port))
  await page.getByText('Nothing waits').waitFor()
})

test('a new build takes the place of the old one, whole', async () => {
  const folder = join(await temporaryFolder(), 'page')
  await cp(join(dirname(programPath('plexus')), 'page'), folder, { recursive: true })
  let files = builtPage(folder)
  const server = createServer(({ url = '' }, response) => {
    const file = files(url)
    response.writeHead(file ? 200 : 401, file?.headers).end(file?.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const page = await newPage()
  const caches = () => page.evaluate<string[]>('caches.keys()')
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await isControlled(page)
  const before = await caches()
  expect(before).toEqual([expect.stringMatching(/^plexus-shell-[0-9a-f]{16}$/)])

  const [hash = ''] = /[0-9a-f]{16}$/.exec(before[0] ?? '') ?? []
  for (const [name, from, to] of [
    ['service-worker.js', hash, '0'.repeat(16)],
    ['index.html', '<title>Plexus', '<title>Newer'],
  ] as const) {
    const text = await readFile(join(folder, name), 'utf8')
    await writeFile(join(folder, name), text.replaceAll(from, to))
  }
  files = builtPage(folder)
  await page.reload()
  expect(await page.title()).toBe('Newer')
  await eventually(async () => expect(await caches()).toEqual([`plexus-shell-${'0'.repeat(16)}`]))
  server.closeAllConnections()
  server.close()
  await page.reload()
  expect(await page.title()).toBe('Newer')
})
