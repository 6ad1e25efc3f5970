import { expect, test } from 'vitest'
import { ATTACKS } from './commands.ts'
import { isFull, keepReport } from './rig/keep-report.ts'
import { tryAttacks } from './rig/try-attacks.ts'

const chosen = isFull ? ATTACKS : ATTACKS.filter(({ fast }) => fast)

test(`a command that looks harmless reaches nothing unasked (${isFull ? 'all' : 'the most important'})`, async () => {
  const { findings, unexplained } = await tryAttacks(chosen)
  if (isFull) await keepReport('attacks', findings)
  const holes = findings.filter(({ verdict }) => verdict === 'HOLE')
  expect(holes.map(({ attack, reached }) => `${attack.command}: ${reached.join(', ')}`)).toEqual([])
  expect(unexplained).toEqual([])
}, 600_000)

test('there are hundreds of commands, each once, and some of every kind are tried in every run', () => {
  const names = ATTACKS.map(({ command, folder, before }) => JSON.stringify([command, folder, before]))
  expect(names.length).toBeGreaterThanOrEqual(250)
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([])
  const kinds = new Set(ATTACKS.map(({ group }) => group))
  const always = new Set(ATTACKS.filter(({ fast }) => fast).map(({ group }) => group))
  expect([...kinds].filter((kind) => !always.has(kind))).toEqual([])
})
