import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { judgedCommand, outsideConfig } from '../../../src/sessions/launch/outside-command.ts'
import { aSession } from '../../contracts/rows.ts'
import { SESSION_MARK } from '../../../src/system/session-mark.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'

const session = aSession({
  id: '00000000-0000-4000-8000-000000000001',
  config: StartOptions.parse({ permissionMode: 'acceptEdits', allowedTools: ['Read'], carrier: 'mcp' }),
})
const permit = { url: 'http://127.0.0.1:1/mcp/child', token: 'secret-token' }
const relay = { command: '/usr/bin/node', args: ['plexus', 'relay', '--home', '/home/me/plexus'] }
const environment = { home: '/home/me/plexus' }
const cli = { path: '/bin/claude', version: '2.1.197' }

const Settings = z.looseObject({
  disableAllHooks: z.boolean(),
  env: z.record(z.string(), z.string()),
  permissions: z.object({ deny: z.array(z.string()) }),
  hooks: z.object({
    PreToolUse: z
      .array(
        z.strictObject({ hooks: z.array(z.looseObject({ command: z.string(), args: z.array(z.string()) })) }),
      )
      .length(1),
  }),
})

function settingsIn(args: readonly string[]) {
  const text = args.find((arg) => arg.startsWith('--settings='))?.slice('--settings='.length) ?? ''
  return Settings.parse(JSON.parse(text))
}

test('a command has the settings of a child, and a hook for every tool that no other setting switches off', () => {
  const { args, env, file } = judgedCommand(
    { session, permit, relay, cli, trusted: false, to: 'command' },
    environment,
  )
  expect(args.filter((arg) => !arg.startsWith('--settings='))).toEqual([
    '--mcp-config=/home/me/plexus/runs/outside-00000000-0000-4000-8000-000000000001/mcp.json',
    '--permission-prompt-tool=mcp__plexus__loopback_permit',
    '--setting-sources=user',
    '--permission-mode=acceptEdits',
    '--allowedTools=Read',
  ])
  expect(file).toContain('secret-token')
  expect(args.join() + JSON.stringify(env)).not.toContain('secret-token')
  expect(settingsIn(args)).toMatchObject({
    disableAllHooks: false,
    useAutoModeDuringPlan: false,
    disableSkillShellExecution: true,
    env: {
      CLAUDE_CODE_SIMPLE: '0',
      CLAUDE_CODE_SAFE_MODE: '0',
      CLAUDE_CODE_DISABLE_CRON: '1',
      CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
    },
    permissions: { deny: expect.arrayContaining(['Read(//home/me/plexus/**)']) as string[] },
  })
  expect(
    judgedCommand({ session, permit, relay, cli, trusted: true, to: 'command' }, environment).args,
  ).toContain('--setting-sources=user,project,local')
})

test('in a terminal its dialogs ask: no tool and no server of ours, and the settings are for its caller to complete', () => {
  const needs = { session, permit, relay, cli, trusted: false, to: 'terminal' } as const
  const { args, env, settings, file } = judgedCommand(needs, environment)
  expect(args).toEqual(['--setting-sources=user', '--permission-mode=acceptEdits', '--allowedTools=Read'])
  expect(file).toContain('secret-token')
  expect(JSON.stringify([args, env, settings])).not.toContain('secret-token')
  expect(Settings.parse(settings).hooks.PreToolUse).toHaveLength(1)
  expect(settings).toMatchObject({ disableAllHooks: false, disableSkillShellExecution: true })
  // With the mark of a session what it asks would count as asked by a process of ours.
  expect(env).not.toHaveProperty(SESSION_MARK)
})

const codeOf = (command: string, ...rest: string[]) => {
  const { args } = judgedCommand(
    { session, permit, relay: { command, args: rest }, cli, trusted: false, to: 'command' },
    environment,
  )
  const [hook] = settingsIn(args).hooks.PreToolUse[0]?.hooks ?? []
  return spawnSync(hook?.command ?? '', hook?.args).status
}

test('the hook refuses the call, by exit code 2, when the program that judges fails or is not there', () => {
  expect(codeOf('/bin/true')).toBe(0)
  expect(codeOf('/bin/false')).toBe(2)
  expect(codeOf('/no/such/program')).toBe(2)
  expect(codeOf('/bin/sh', '-c', 'kill -9 $$')).toBe(2)
})

test('what plexus configure prints has the settings of a child too', () => {
  const { args, mcpConfig, env } = outsideConfig({ session, permit, relay }, environment)
  expect(JSON.stringify(mcpConfig)).toContain('secret-token')
  expect(args).toEqual([
    '--permission-prompt-tool=mcp__plexus__loopback_permit',
    expect.stringContaining('"disableSkillShellExecution":true'),
  ])
  expect(env).toMatchObject({ LOOPBACK_SESSION_ID: session.id })
})
