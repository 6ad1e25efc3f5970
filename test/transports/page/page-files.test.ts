import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtPage } from '../../../src/transports/page/page-files.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

async function aPage() {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<p>the page</p>')
  await writeFile(join(folder, 'assets/index-abc.js'), 'run()')
  await writeFile(join(folder, 'secret.txt'), 'no')
  return builtPage(folder)
}

test('S5: the page can be framed by nobody, loads nothing of others, and takes no text for markup', async () => {
  const policy = (await aPage())('/')?.headers['content-security-policy']
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types plexus-worker")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
})

test('only files of known kinds are served, by their exact paths', async () => {
  const page = await aPage()
  expect(page('/')?.body).toBe('<p>the page</p>')
  expect(page('/assets/index-abc.js')).toMatchObject({
    body: 'run()',
    headers: { 'cache-control': expect.stringContaining('immutable') as string },
  })
  for (const path of ['/index.html', '/secret.txt', '/assets', '/assets/../index.html', '/nothing'])
    expect(page(path)).toBeUndefined()
})

test('where the page was not built, a plain one says what this is', () => {
  expect(builtPage('/nowhere')('/')?.body).toContain('This is the hub')
})
