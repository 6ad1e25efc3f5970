import { expect, test } from 'vitest'
import { TRIED_CLI } from '../../src/setup/doctor/checks/cli.ts'
import { holdsDialog, isTriedVersion, TRIED_VERSIONS } from '../../src/terminals/tried-versions.ts'

test('the versions that the tests run on were tried in a terminal too, and are listed oldest first', () => {
  expect(TRIED_VERSIONS.map(({ version }) => version)).toEqual([...TRIED_CLI])
})

test('a version that was not tried counts as the newest tried one before it', () => {
  const tried = [
    { version: '2.1.10', isSideBySide: true },
    { version: '2.1.20', isSideBySide: false },
    { version: '2.1.30', isSideBySide: true },
  ]
  const versions = ['2.1.9', '2.1.10', '2.1.19', '2.1.20', '2.1.29', '2.1.30', '3.0.0', 'nonsense']
  expect(versions.filter((version) => holdsDialog(version, tried))).toEqual([
    '2.1.10',
    '2.1.19',
    '2.1.30',
    '3.0.0',
  ])
  expect(isTriedVersion('2.1.197')).toBe(true)
  expect(TRIED_CLI.map((version) => holdsDialog(version))).toEqual(TRIED_CLI.map(() => true))
  expect(isTriedVersion('2.1.198')).toBe(false)
})
