import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingsRules } from '../../../src/child/policy/settings-rules.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

test('each call is judged by the settings as they are at that time', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'settings.json')
  const allowed = () => settingsRules({ CLAUDE_CONFIG_DIR: folder }, undefined).allow.map(({ text }) => text)
  const write = (allow: unknown) => writeFileSync(file, JSON.stringify({ permissions: { allow } }))
  expect(allowed()).toEqual([])
  write(['Bash(npm test)'])
  expect(allowed()).toEqual(['Bash(npm test)'])
  write(['Bash(npm test)', 'WebSearch'])
  expect(allowed()).toEqual(['Bash(npm test)', 'WebSearch'])
  writeFileSync(file, '{ broken')
  expect(allowed()).toEqual([])
  write(['WebSearch'])
  expect(allowed()).toEqual(['WebSearch'])
  rmSync(file)
  expect(allowed()).toEqual([])
})
