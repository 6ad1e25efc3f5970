import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply, tools, use } from '../../../src/demo/scenario.ts'
import { hookEntry } from '../../../src/setup/terminals/hook-entry.ts'
import { SESSION_MARK } from '../../../src/system/session-mark.ts'
import { isAtLeast } from '../../../src/text/version-order.ts'
import { cliVersion, isWithoutCli } from '../../rig/cli/real-cli.ts'
import { projectSettings } from '../../rig/terminals/project-settings.ts'
import { chooseThere, PROCEED, say } from '../../rig/terminals/terminal-keys.ts'
import { askingTerminal, terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { questions, sessionsOf, settled, theQuestion } from '../../rig/terminals/terminal-questions.ts'
import { run } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

const AGENT = tools(
  use('Agent', { description: 'a folder', prompt: 'AGENT: make a folder', subagent_type: 'general-purpose' }),
)

/** From this version on every agent works in the background. */
const hasBackgroundAgents = !isWithoutCli && isAtLeast(cliVersion(), '2.1.325')
const SCENARIO = {
  main: [AGENT, reply('the agent works')],
  agents: { 'AGENT:': [run('mkdir by-agent'), reply('made')] },
}

test.runIf(hasTerminal && hasBackgroundAgents)(
  'the question of an agent in the background is left to the terminal, which then asks it',
  { timeout: 90_000 },
  async () => {
    const { hub, terminal, asked } = await askingTerminal(SCENARIO)
    expect(asked.agentId).toBeTruthy()
    expect(await settled(hub, asked)).toMatchObject({ end: 'left to the terminal' })
    await terminal.sees(PROCEED)
    await eventually(async () => expect((await sessionsOf(hub))[0]).toMatchObject({ status: 'waiting' }))
    expect(await questions(hub, 0)).toEqual([])
  },
)

test.runIf(hasTerminal && !hasBackgroundAgents)(
  'the question of an agent with a dialog is answered elsewhere',
  { timeout: 90_000 },
  async () => {
    const { hub, terminal, asked } = await askingTerminal(SCENARIO)
    expect(asked.agentId).toBeTruthy()
    await terminal.sees(PROCEED)
    await hub.call('answer', { approvalId: asked.id, approve: true })
    await terminal.sees('the agent works')
  },
)

test.runIf(hasTerminal).each(['user', 'project'] as const)(
  'what a hook of the %s decides first is over here, and says so',
  { timeout: 90_000 },
  async (owner) => {
    const { place, open, settingsFile, parts } = await terminalPlace({
      main: [run('mkdir by-hook'), reply('done so')],
    })
    const hub = await place.start()
    const slow = join(place.folder, 'slow-hook')
    const allow = {
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
    }
    await writeFile(slow, `#!/bin/sh\ncat >/dev/null\nsleep 1\necho '${JSON.stringify(allow)}'\n`, {
      mode: 0o755,
    })
    const own = { hooks: [{ type: 'command', command: slow }] }
    const hooks = { PermissionRequest: owner === 'user' ? [hookEntry(parts), own] : [own] }
    await (owner === 'user'
      ? writeFile(settingsFile, JSON.stringify({ hooks }))
      : projectSettings(place, { hooks }))
    const terminal = await open()
    await say(terminal, 'begin')
    const asked = await theQuestion(hub)
    await terminal.sees('done so')
    await eventually(async () => {
      expect(await settled(hub, asked)).toMatchObject({ status: 'withdrawn', end: 'decided by a hook' })
    })
  },
)

test.runIf(hasTerminal)(
  'a terminal whose hooks a project has switched off is seen to wait, and is answered there',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace({ main: [run('mkdir unseen'), reply('made it')] })
    await projectSettings(place, { disableAllHooks: true })
    const hub = await place.start()
    const terminal = await open()
    await say(terminal, 'begin')
    await terminal.sees(PROCEED)
    await eventually(async () => expect((await sessionsOf(hub))[0]).toMatchObject({ status: 'waiting' }))
    expect(await questions(hub, 0)).toEqual([])
    await chooseThere(terminal, 'Yes')
    await terminal.sees('made it')
    await eventually(async () => expect((await sessionsOf(hub))[0]).toMatchObject({ status: 'idle' }))
  },
)

test.runIf(hasTerminal)(
  'variables that a trusted project sets do not make a terminal a process of ours, nor lead its question to another hub',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace({ main: [run('mkdir made'), reply('made it')] })
    const env = { [SESSION_MARK]: 'a-session', PLEXUS_HOME: place.project, SHELL: '/bin/false' }
    await projectSettings(place, { env })
    const hub = await place.start()
    const terminal = await open()
    await say(terminal, 'begin')
    const asked = await theQuestion(hub)
    await terminal.sees(PROCEED)
    await hub.call('answer', { approvalId: asked.id, approve: true })
    expect(await settled(hub, asked)).toMatchObject({ status: 'allowed' })
    await terminal.sees('Allowed by PermissionRequest hook')
  },
)
