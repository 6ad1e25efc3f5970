import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { runCommand } from '../../src/system/run-command.ts'

const env = { PATH: '/usr/bin:/bin' }
const running = () => execFileSync('ps', ['-eo', 'stat,args'], { encoding: 'utf8' }).split('\n')
const sh = (text: string, timeoutMs = 30_000) => runCommand('/bin/sh', ['-c', text], { env, timeoutMs })

it('a command that exits resolves with its code and output', async () => {
  expect(await sh('echo a; echo b >&2; exit 3')).toEqual({
    outcome: 'exited',
    code: 3,
    stdout: 'a\n',
    stderr: 'b\n',
  })
})

it('a missing command is reported as not started', async () => {
  expect(await runCommand('/no/such', [], { env, timeoutMs: 30_000 })).toEqual({
    outcome: 'not started',
    reason: 'ENOENT',
  })
  expect(await runCommand('/a\0b', [], { env, timeoutMs: 30_000 })).toMatchObject({ outcome: 'not started' })
})

it('a command that exceeds its time limit is killed with its children', async () => {
  const mark = `31${process.pid}.5`
  expect(await sh(`sleep ${mark} & sleep ${mark}`, 300)).toEqual({ outcome: 'timed out' })
  await expect
    .poll(() => running().filter((line) => !line.startsWith('Z') && line.includes(`sleep ${mark}`)))
    .toEqual([])
})

it('a process that the command leaves running does not delay the result', async () => {
  const answer = await sh('sleep 20 & echo $!')
  expect(answer).toMatchObject({ outcome: 'exited', code: 0 })
  process.kill(Number(answer.outcome === 'exited' && answer.stdout), 'SIGKILL')
})

it('output beyond the limit is dropped', async () => {
  const answer = await sh('head -c 1000000 /dev/zero | tr "\\\\0" x')
  expect(answer.outcome === 'exited' && answer.stdout.length).toBe(64 * 1024)
})
