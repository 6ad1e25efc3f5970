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
    if (shell.isUnmarked) {
      // Where this fails, the client has begun to set one: then it is no longer unmarked.
      expect({ seen, allow }).toEqual({ seen: [], allow: 'web.1 allowed: wants to run: touch it\nexit 0\n' })
      return
    }
    expect(seen).not.toEqual([])
    expect(allow).toContain(`${seen[0]} is set, so this counts as a call of an agent and not of a person.\n`)
    expect(allow).toMatch(/\nexit 1\n$/)
    expect(byPerson).toMatchObject({ exitCode: 0, stdout: 'web.1 allowed: wants to run: touch it\n' })
  })
})

const securityPage = async (): Promise<string> =>
  (await readFile(join(import.meta.dirname, '../../docs/SECURITY.md'), 'utf8')).replaceAll('`', '')
