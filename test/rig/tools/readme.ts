/** The commands of a page, run as a reader would paste them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { endAll, processesOfSession } from '../../../src/system/process-tree.ts'
import type { Scenario } from '../../../src/demo/scenario.ts'
import { startScriptedModel } from '../../../src/demo/scripted-model.ts'
import { programPath } from './build-programs.ts'
import { cleanEnvironment, cliPath, temporaryFolder } from '../cli/real-cli.ts'

const root = join(import.meta.dirname, '../../..')

/** The blocks of commands below this heading of a page. */
export async function commandsBelow(heading: string, page = 'README.md'): Promise<string[]> {
  const [, section = ''] = (await readFile(join(root, page), 'utf8')).split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands)
}

export interface Ran {
  readonly code: number
  readonly out: string
  readonly errors: string
  /** Where it ran. */
  readonly folder: string
  readonly home: string
  /** The results of the calls, in order; an error of the protocol is one too. */
  readonly results: readonly unknown[]
}

/** In an empty folder, with `plexus` on the path and a model that is a script. */
export async function runCommands(commands: readonly string[], scenario: Scenario): Promise<Ran> {
  const folder = await temporaryFolder()
  const model = await startScriptedModel(scenario)
  onTestFinished(() => model.close())
  const [bin, work] = [join(folder, 'bin'), join(folder, 'work')]
  for (const path of [bin, work]) await mkdir(path)
  const plexus = join(bin, 'plexus')
  await writeFile(plexus, `#!/bin/sh\nexec '${process.execPath}' '${programPath('plexus')}' "$@"\n`)
  await chmod(plexus, 0o755)
  const base = cleanEnvironment(folder, model.url)
  const env = { ...base, PATH: `${bin}:${base['PATH']}`, CLAUDE_CODE_PATH: cliPath() }
  const shell = spawn('/bin/sh', ['-eu'], { cwd: work, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let out = ''
  onTestFinished(async () => void (await endAll(() => processesOfSession(idIn(out)))))
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk))
  const errors = text(shell.stderr)
  shell.stdin.end(commands.join('\n'))
  const [code] = (await once(shell, 'close')) as [number]
  const answers = out.split('\n').filter((line) => line.includes('"jsonrpc"'))
  return {
    code,
    out,
    errors: await errors,
    folder: work,
    home: base['HOME'] ?? '',
    results: answers.map(resultOf),
  }
}

function resultOf(line: string): unknown {
  const { result, error } = JSON.parse(line) as { result?: unknown; error?: unknown }
  return error === undefined ? result : { error }
}

const idIn = (out: string): string => /"id":"([0-9a-f-]{36})"/.exec(out)?.[1] ?? ''
