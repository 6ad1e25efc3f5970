import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programPath } from '../../rig/tools/build-programs.ts'
import { cliPath, cliVersion, temporaryFolder } from '../../rig/cli/real-cli.ts'

test('the demo says what the README says that it says, and leaves nothing behind', async () => {
  const temporary = await temporaryFolder()
  const env = { PATH: '/usr/bin:/bin', TMPDIR: temporary, CLAUDE_CODE_PATH: cliPath() }
  const said = execFileSync(process.execPath, [programPath('plexus'), 'demo'], { env, encoding: 'utf8' })
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
  const [, shown] = /\$ npm start -- demo\n(.*?)```/s.exec(readme) ?? []
  expect(said).toBe(shown?.replace('2.1.197', cliVersion()))
})

test('R19: without a CLI the demo says so in one sentence', async () => {
  const env = { PATH: '/usr/bin:/bin', CLAUDE_CODE_PATH: join(await temporaryFolder(), 'claude') }
  expect(() =>
    execFileSync(process.execPath, [programPath('plexus'), 'demo'], { env, stdio: 'pipe' }),
  ).toThrow(/plexus: .*claude does not exist; install Claude Code .*\n$/)
})
