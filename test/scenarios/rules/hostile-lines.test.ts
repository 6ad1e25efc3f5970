/** Lines that run a forbidden program by way of another one, tried by the real CLI: none of them makes its mark. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { operator, startSessions } from '../../rig/hubs/sessions.ts'
import { eventually } from '../../rig/tools/eventually.ts'

const RULES = { v: 1, forbid: [{ id: 'no-marks', command: 'touch *', because: 'No marks.' }] }
const encoded = Buffer.from('touch mark-1').toString('base64')

/** Each makes the mark of its number where `touch` is not forbidden. */
const LINES = [
  'touch mark-0',
  `base64 -d <<< ${encoded} | sh`,
  'echo touch mark-2 | sh',
  "env -S'touch mark-3'",
  "env --split-string='touch mark-4'",
  "git -c alias.x='!touch mark-5' x",
  "GIT_EDITOR='touch mark-6' git var GIT_EDITOR; GIT_EDITOR='touch mark-6' git config --edit --file x",
  'find /usr/bin/ -maxdepth 1 -name touch -exec {} mark-7 \\;',
  'echo "touch mark-8" | xargs -I% sh -c %',
  "echo 'touch mark-9' | xargs -d '\\n' sh -c",
  "a=(1); unset 'a[$(touch mark-10)]'",
  "printf -v 'a[$(touch mark-11)]' x",
  "x='a[$(touch mark-12)]'; (( x )); true",
  "mapfile -C 'touch mark-13; :' -c 1 x < /etc/passwd",
  'coproc touch mark-14; wait',
  "trap 'touch mark-15' EXIT",
  "$'\\x74ouch' mark-16",
  'to{uch,} mark-17; {touch,mark-17}',
  'X=touch; $X mark-18',
  'find . -maxdepth 0 -exec sh -c "to""uch mark-19" \\;',
]
const marksIn = (folder: string) =>
  LINES.flatMap((_, number) => (existsSync(join(folder, `mark-${number}`)) ? number : []))

test('(asked for: 6) (asked for: 7) a forbidden program does not run by way of another, however its line is written', async () => {
  const free = await temporaryFolder()
  for (const line of LINES) spawnSync('bash', ['-c', line], { cwd: free, env: { PATH: process.env['PATH'] } })
  expect(marksIn(free)).toEqual(LINES.map((_, number) => number))

  const sessions = await startSessions({
    store: 'sqlite',
    scenario: { main: [...LINES.map((command) => tools(use('Bash', { command }))), say('done')] },
    prepareHome: async (home: string) => {
      await mkdir(home, { recursive: true, mode: 0o700 })
      await writeFile(join(home, 'rules.json'), JSON.stringify(RULES))
    },
  })
  const { id } = await sessions.start('go')
  const asked: unknown[] = []
  await eventually(async () => {
    for (const { id: approvalId, input } of await sessions.engine.pending(operator, { sessionId: id })) {
      asked.push(input['command'])
      await sessions.engine.answer(operator, { approvalId, approve: false, message: 'Not this.' })
    }
    expect(await sessions.engine.getSession(operator, { sessionId: id })).toMatchObject({ status: 'done' })
  })
  expect(marksIn(sessions.project)).toEqual([])
  const rows = await sessions.store.record.read({ session: id, kind: 'hook-denied', limit: 99 })
  const denied = rows.map(({ body }) => (JSON.parse(body) as { input: { command: string } }).input.command)
  expect(new Set<unknown>([...denied, ...asked])).toEqual(new Set<unknown>(LINES))
})
