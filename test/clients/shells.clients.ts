/** Every client whose model can run a command: how the command line knows it there, and that it has no person's rights. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentVariables } from '../../src/command-line/agent-environment.ts'
import { CLIENTS } from './clients.ts'
import { runInShell } from './shell-run.ts'

const named = process.env['PLEXUS_CLIENTS']?.split(',')
const chosen = CLIENTS.flatMap(({ shell, ...client }) =>
  shell && (!named || named.includes(client.name)) ? [{ ...client, shell }] : [],
)

describe.each(chosen)('$name', (client) => {
  test('a command of its model is known to be one, and has no rights of a person', async () => {
    const { env, allow, byPerson } = await runInShell(client)
    const seen = agentVariables(env)
    const { title, version, shell } = client
    expect(await securityPage()).toContain(
      `| ${title.replaceAll('`', '')} | ${version} | ${seen.join(', ') || 'none'} |`,
    )
    // Where an unmarked client fails here, it has begun to set a variable: then it is no longer unmarked.
    expect({ isKnown: seen.length > 0, allow, byPerson: byPerson.stdout }).toEqual({
      isKnown: !shell.isUnmarked,
      allow: shell.isUnmarked ? `${ALLOWED}exit 0\n` : refusedFor(seen[0]),
      byPerson: shell.isUnmarked ? '' : ALLOWED,
    })
  })
})

const ALLOWED = 'web.1 allowed: wants to run: touch it\n'

const refusedFor = (variable = ''): unknown =>
  expect.stringMatching(
    new RegExp(
      `Only a person may answer .* ${variable} is set, so this counts as a call of an agent and not of a person\\.\nexit 1\n$`,
    ),
  )

const securityPage = async (): Promise<string> =>
  (await readFile(join(import.meta.dirname, '../../docs/SECURITY.md'), 'utf8')).replaceAll('`', '')
