import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programPath } from '../../rig/tools/build-programs.ts'
import { cliPath, cliVersion, temporaryFolder } from '../../rig/cli/real-cli.ts'
import { processesWith } from '../../rig/tools/processes-with.ts'

function demo(env: Record<string, string>) {
  const all = { PATH: '/usr/bin:/bin', ...env }
  return spawnSync(process.execPath, [programPath('plexus'), 'demo'], { env: all, encoding: 'utf8' })
}

/** Pids, the path of the program and the folder of the tour are others each time. */
function normal(text: string): string {
  return text
    .replaceAll(/(?<=kill -9 |pid )\d+/g, 'PID')
    .replaceAll(/\S*plexus-demo-\w+/g, 'FOLDER')
    .replaceAll(/(?<=alias plexus=).*/g, 'PROGRAM')
    .replaceAll(cliVersion(), '2.1.197')
}

test('the demo without a terminal says what the README says that it says, and leaves nothing behind', async () => {
  const temporary = await temporaryFolder()
  const { status, stdout, stderr } = demo({ TMPDIR: temporary, CLAUDE_CODE_PATH: cliPath() })
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
  const [, shown = ''] = /\$ npx plexus-mcp demo\n(.*?)```/s.exec(readme) ?? []
  const parts = shown.split(/^\.\.\.$/m).map((part) => normal(part).trim())
  expect(parts.filter((part) => part !== '')).toHaveLength(3)
  for (const part of parts) expect(normal(stdout)).toContain(part)
  expect([status, stderr]).toEqual([0, ''])
  expect(await readdir(temporary)).toEqual([])
  expect(await processesWith(temporary)).toEqual([])
})

test('R19: without a CLI the demo says so in one sentence', async () => {
  const { status, stderr } = demo({ CLAUDE_CODE_PATH: join(await temporaryFolder(), 'claude') })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^plexus: .*claude does not exist; install Claude Code .*\n$/)
})
