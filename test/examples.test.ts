import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../src/demo/scenario.ts'
import { programPath } from './rig/tools/build-programs.ts'
import { type HubPlace, hubPlace } from './rig/hubs/hub.ts'
import { cliPath, temporaryFolder } from './rig/cli/real-cli.ts'

const folder = join(import.meta.dirname, '../examples')
/** Not examples, but what they share. */
const shared = ['hub.mjs', 'scripted-hub.mjs']
/** Brings its own hub and model. */
const alone = 'three-level-tree.mjs'
const examples = readdirSync(folder).filter((file) => file.endsWith('.mjs') && !shared.includes(file))
const run = promisify(execFile)

const GREETING = {
  main: [
    tools(use('Bash', { command: 'echo hello > greeting.txt' })),
    say('The greeting is written.'),
    say('I wrote a greeting.'),
  ],
}

/** The command that its header says to run it with, but for the build. */
function commandOf(file: string): string {
  const [, command = ''] =
    /^(?:\/\/ Run.*: | \* {3}npm run build && )(.*node examples\/.*)$/m.exec(read(file)) ?? []
  expect(command).toContain(`node examples/${file}`)
  return command
}

const read = (file: string) => readFileSync(join(folder, file), 'utf8')

/** With the programs that a user has. */
async function runAsTold(file: string, env: Record<string, string>, cli = cliPath()) {
  const bin = await temporaryFolder()
  await symlink(cli, join(bin, 'claude'))
  await symlink(process.execPath, join(bin, 'node'))
  const PATH = `${bin}:/usr/bin:/bin`
  return run('/bin/sh', ['-euc', commandOf(file)], { cwd: join(folder, '..'), env: { ...env, PATH } })
}

/** As its header says, in the home of a hub that runs. */
async function runExample(file: string, place: HubPlace): Promise<string> {
  const hub = await place.start()
  const { CLAUDE_CODE_PATH: _, ...env } = place.env
  try {
    const ran = await runAsTold(file, { ...env, PLEXUS_HOME: place.home, PLEXUS_FOLDER: place.project })
    return ran.stdout
  } finally {
    for (const { id } of await hub.call<{ id: string }[]>('listSessions')) place.sessions.add(id)
  }
}

describe.each(examples.filter((file) => file !== alone))('%s', (file) => {
  test('ends well', async () => {
    const place = await hubPlace({ scenario: GREETING })
    expect(await runExample(file, place)).not.toBe('')
    expect(readFileSync(join(place.project, 'greeting.txt'), 'utf8')).toBe('hello\n')
  })

  test('ends with an error when what it shows does not happen', async () => {
    const place = await hubPlace({ scenario: { main: () => ({ status: 400, message: 'no such thing' }) } })
    await expect(runExample(file, place)).rejects.toMatchObject({ code: 1 })
  })
})

const runAlone = (cli: string) => runAsTold(alone, { PLEXUS_MAIN: programPath('plexus') }, cli)

describe('the one that brings its own hub', () => {
  test('ends well', async () => {
    expect((await runAlone(cliPath())).stdout).toContain('the person reads: top: middle: low: made it')
  })

  test('ends with an error when what it shows does not happen', async () => {
    await expect(runAlone('/bin/false')).rejects.toMatchObject({ code: 1 })
  })
})

test('without a hub an example says how to start one', async () => {
  const env = { PLEXUS_HOME: join(await temporaryFolder(), 'none') }
  await expect(runAsTold('poll-loop.mjs', env)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No hub runs with the home folder .*\n$/),
  })
})

test.each(examples)('%s is short', (file) => {
  expect(readFileSync(join(folder, file), 'utf8').split('\n').length).toBeLessThan(80)
})
