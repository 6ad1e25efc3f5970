import { closeSync, openSync, writeSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withLogLimit } from '../../src/hub/log-file.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

const LINE = `${'x'.repeat(1_023)}\n`

async function aLog(written: string) {
  const folder = await temporaryFolder()
  const fd = openSync(join(folder, written), 'a', 0o600)
  onTestFinished(() => closeSync(fd))
  const write = (line: string) => void writeSync(fd, line)
  const log = withLogLimit(join(folder, 'hub.log'), write, { fd, maxBytes: 200 << 10 })
  return { folder, log }
}

test('S34: a log that is too long is emptied, and its content is kept once', async () => {
  const { folder, log } = await aLog('hub.log')
  log('first\n')
  for (let lines = 0; lines < 1_000; lines++) log(LINE)
  log('last\n')
  const sizes = await Promise.all(['hub.log', 'hub.log.old'].map((name) => stat(join(folder, name))))
  for (const { size, mode } of sizes) {
    expect(size).toBeLessThan(300 << 10)
    expect(mode & 0o777).toBe(0o600)
  }
  const text = await readFile(join(folder, 'hub.log'), 'utf8')
  expect(text).toMatch(/^x+\n[^]*\nlast\n$/)
})

test('a log that is not ours is not limited', async () => {
  const { folder, log } = await aLog('theirs.log')
  for (let lines = 0; lines < 1_000; lines++) log(LINE)
  expect(await readdir(folder)).toEqual(['theirs.log'])
  expect((await stat(join(folder, 'theirs.log'))).size).toBe(1_000 << 10)
})
