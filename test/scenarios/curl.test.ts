import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { endAll, processesOfSession } from '../../src/child/process-tree.ts'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { startScriptedModel } from '../../src/demo/scripted-model.ts'
import { programPath } from '../rig/build-programs.ts'
import { cleanEnvironment, cliPath, temporaryFolder } from '../rig/real-cli.ts'

const readme = join(import.meta.dirname, '../../README.md')

/** The commands below this heading of the README, as a reader would paste them. */
async function commandsBelow(heading: string): Promise<string> {
  const [, section = ''] = (await readFile(readme, 'utf8')).split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands).join('\n')
}

test('R1: the commands of the README start a session, outlive a kill -9 of the hub, and answer its question', async () => {
  const folder = await temporaryFolder()
  const model = await startScriptedModel({
    main: [tools(use('Bash', { command: 'echo hello > greeting.txt' })), say('written')],
  })
  onTestFinished(() => model.close())
  const [bin, work] = [join(folder, 'bin'), join(folder, 'work')]
  for (const path of [bin, work]) await mkdir(path)
  const plexus = join(bin, 'plexus')
  await writeFile(plexus, `#!/bin/sh\nexec '${process.execPath}' '${programPath('plexus')}' "$@"\n`)
  await chmod(plexus, 0o755)
  const base = cleanEnvironment(folder, model.url)
  const env = { ...base, PATH: `${bin}:${base['PATH']}`, CLAUDE_CODE_PATH: cliPath() }

  const shell = spawn('/bin/sh', ['-eu'], { cwd: work, env, stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(async () => void (await endAll(() => processesOfSession(idIn(out)))))
  let out = ''
  shell.stdout.setEncoding('utf8').on('data', (told: string) => (out += told))
  const errors = text(shell.stderr)
  shell.stdin.end(await commandsBelow('Try it with curl'))
  const [code] = (await once(shell, 'close')) as [number]
  expect([code, await errors]).toEqual([0, expect.not.stringMatching(/curl:|not found/)])

  const answers = out.split('\n').filter((line) => line.includes('"jsonrpc"'))
  expect(answers.filter((line) => line.includes('"error"'))).toEqual([])
  const [created, , waits, pending, answered, done, events] = answers.map(resultOf)
  expect(created).toMatchObject({ name: 'greeter', status: 'idle' })
  expect(waits).toMatchObject([{ status: 'waiting' }])
  expect(pending).toMatchObject([{ toolName: 'Bash', input: { command: 'echo hello > greeting.txt' } }])
  expect(answered).toMatchObject({ status: 'allowed', by: 'operator' })
  expect(done).toMatchObject([{ status: 'done' }])
  const settled = expect.objectContaining({
    event: expect.objectContaining({ type: 'approval.settled' }),
  }) as object
  expect(events).toMatchObject({ events: expect.arrayContaining([settled]) })
  expect(out).toContain('\nhello\n')
  expect(await readFile(join(work, 'greeting.txt'), 'utf8')).toBe('hello\n')
  expect(out).not.toContain(
    (await readFile(join(base['HOME'] ?? '', 'plexus-home/operator.token'), 'utf8')).trim(),
  )
})

test('the commands of the README use no program that a machine may not have', async () => {
  const programs = ['cat', 'curl', 'cut', 'grep', 'printf', 'sleep']
  for (const program of programs) execFileSync('/bin/sh', ['-c', `command -v ${program}`])
  expect(await commandsBelow('Try it with curl')).not.toMatch(/\b(jq|python|node|npx)\b/)
})

const resultOf = (line: string): unknown => (JSON.parse(line) as { result: unknown }).result
const idIn = (out: string): string => /"id":"([0-9a-f-]{36})"/.exec(out)?.[1] ?? ''
