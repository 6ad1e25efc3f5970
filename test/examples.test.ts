import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../src/demo/scenario.ts'
import { programPath } from './rig/build-programs.ts'
import { type HubPlace, hubPlace } from './rig/hub.ts'
import { cliPath } from './rig/real-cli.ts'

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

/** As a user would: with the address and the token of a hub in the environment. */
async function runExample(file: string, place: HubPlace): Promise<string> {
  const hub = await place.start()
  const env = {
    PLEXUS_URL: hub.url,
    PLEXUS_TOKEN: hub.token,
    PLEXUS_FOLDER: place.project,
    CLAUDE: cliPath(),
  }
  try {
    const ran = await run(process.execPath, [join(folder, file)], { env: { ...place.env, ...env } })
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

function runAlone(cli: string) {
  const env = { PATH: '/usr/bin:/bin', CLAUDE_CODE_PATH: cli, PLEXUS_MAIN: programPath('plexus') }
  return run(process.execPath, [join(folder, alone)], { env })
}

describe('the one that brings its own hub', () => {
  test('ends well', async () => {
    expect((await runAlone(cliPath())).stdout).toContain('the person reads: top: middle: low: made it')
  })

  test('ends with an error when what it shows does not happen', async () => {
    await expect(runAlone('/bin/false')).rejects.toMatchObject({ code: 1 })
  })
})

test.each(examples)('%s is short', (file) => {
  expect(readFileSync(join(folder, file), 'utf8').split('\n').length).toBeLessThan(80)
})
