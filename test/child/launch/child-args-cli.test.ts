import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { childArgs, type Birth } from '../../../src/child/launch/child-args.ts'
import { childEnvironment } from '../../../src/child/launch/child-environment.ts'
import { lineOf } from '../../../src/child/lines/message-line.ts'
import { childSettings } from '../../../src/child/launch/child-settings.ts'
import { initialize } from '../../../src/child/lines/stdin-messages.ts'
import { mcpConfig } from '../../../src/child/launch/mcp-servers.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { cliPath } from '../../rig/cli/real-cli.ts'

const CLI = cliPath()
const ID = '3f1b6a52-9d55-4c1e-8f0e-1f6a7d1c2b3a'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'plexus-args-')))
  mkdirSync(join(root, 'added'))
})
afterEach(() => rmSync(root, { recursive: true, maxRetries: 5 }))

/** Starts the CLI, asks it to initialize, closes its input. No model is within reach. */
async function start(
  args: string[],
  { systemPrompt: appendSystemPrompt, agents }: Pick<StartOptions, 'systemPrompt' | 'agents'> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const base = {
    PATH: '/usr/bin:/bin',
    HOME: root,
    CLAUDE_CONFIG_DIR: join(root, 'config'),
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  }
  const child = spawn(CLI, args, { cwd: root, env: childEnvironment(base, { sessionId: ID }) })
  const request = initialize(600, { appendSystemPrompt, agents })
  child.stdin.on('error', () => {}).end(lineOf(request))
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

function birth(): Birth {
  const mcpConfigPath = join(root, 'mcp config.json')
  writeFileSync(mcpConfigPath, JSON.stringify(mcpConfig({ files: { command: 'false' } })))
  const settings = childSettings(join(root, 'home'))
  return { kind: 'new', sessionId: ID, settings, trusted: false, mcpConfigPath }
}

describe('the CLI itself', () => {
  it('takes every option in the form in which it is passed', async () => {
    const options = StartOptions.parse({
      name: 'a, b',
      addDirs: [join(root, 'added')],
      model: 'claude-sonnet-4-5',
      fallbackModel: 'claude-haiku-4-5',
      effort: 'low',
      permissionMode: 'bypassPermissions',
      allowedTools: ['Write', 'Bash(git diff *)'],
      disallowedTools: ['WebFetch', 'WebSearch'],
      tools: ['Read', 'Bash'],
      maxTurns: 3,
      maxBudgetUsd: 1.5,
      systemPrompt: '--settings={}\n--x',
      agents: {
        reviewer: { description: 'Reviews', prompt: '-x', tools: ['Read'], model: 'haiku', maxTurns: 2 },
      },
      mcpServers: { files: { command: 'false' } },
      outputSchema: { type: 'object', properties: { a: { type: 'string' } } },
      dangerouslySkipPermissions: true,
    })
    const { code, stdout, stderr } = await start(childArgs(options, birth()), options)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('"subtype":"success"')
    expect(stdout).toContain('"name":"reviewer"')
  })

  it('would not have taken an option that it does not know', async () => {
    const { code, stderr } = await start([
      ...childArgs(StartOptions.parse({}), birth()),
      '--no-such-option=1',
    ])
    expect(code).toBe(1)
    expect(stderr).toContain('--no-such-option')
  })

  it('S7: finds no flag in the text of a caller', async () => {
    const ran = join(root, 'ran')
    const hook = { hooks: [{ type: 'command', command: `touch '${ran}'` }] }
    const attack = `--settings=${JSON.stringify({ hooks: { SessionStart: [hook], Setup: [hook] } })}`
    const plain = childArgs(StartOptions.parse({}), birth())
    await start([...plain.filter((arg) => !arg.startsWith('--settings=')), attack])
    expect(existsSync(ran), 'the attack works where it is a flag').toBe(true)

    rmSync(ran)
    const options = StartOptions.parse({ systemPrompt: attack })
    expect(await start(childArgs(options, birth()), options)).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(ran)).toBe(false)
  })
})
