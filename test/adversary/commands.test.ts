import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliVersion } from '../rig/real-cli.ts'
import { ATTACKS } from './commands.ts'
import { tryAttacks } from './try-attacks.ts'

/** All of them with `npm run test:cli` and `npm run adversary`, else the most telling ones. */
const isFull = process.env['PLEXUS_ADVERSARY'] === 'full'
const chosen = isFull ? ATTACKS : ATTACKS.filter(({ fast }) => fast)

test(`a command that looks harmless reaches nothing unasked: ${isFull ? 'all' : 'the most telling'}`, async () => {
  const { findings, unexplained } = await tryAttacks(chosen)
  if (isFull) await keep(findings)
  const holes = findings.filter(({ verdict }) => verdict === 'HOLE')
  expect(holes.map(({ attack, reached }) => `${attack.command}: ${reached.join(', ')}`)).toEqual([])
  expect(unexplained).toEqual([])
}, 600_000)

/** For docs/ADVERSARY.md. */
async function keep(findings: object): Promise<void> {
  const folder = join(import.meta.dirname, '../../.cache/adversary')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${cliVersion()}.json`), JSON.stringify(findings, null, 1))
}

test('the suite has hundreds of commands, each once, and of every kind some that every run tries', () => {
  const commands = ATTACKS.map(({ command, folder, before }) => JSON.stringify([command, folder, before]))
  expect(commands.length).toBeGreaterThan(250)
  expect(commands.filter((command, at) => commands.indexOf(command) < at)).toEqual([])
  expect(ATTACKS.filter(({ fast }) => fast).length).toBeGreaterThan(40)
})
