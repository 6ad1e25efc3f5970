/** Conversations between a terminal and the hub: a plan, `/clear`, a terminal that has ended, and one of ours that is opened there. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Reply, say as reply, tools, use } from '../../../src/demo/scenario.ts'
import type { ModelRequest } from '../../../src/demo/model-request.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import type { HubPlace } from '../../rig/hubs/hub.ts'
import { PROCEED, say, sessionsOf, terminalPlace, theQuestion } from '../../rig/hubs/terminal-place.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal, openTerminal, type Terminal } from '../../rig/tools/terminal.ts'

/** `Make NAME` makes a folder; every other prompt is repeated. */
const make = ({ lastUserText, toolResults }: ModelRequest): Reply => {
  const [, folder] = /Make ([\w-]+)/.exec(lastUserText) ?? []
  if (toolResults.length > 0) return reply('It is made.')
  if (folder === undefined) return reply(`Heard: ${lastUserText}`)
  return tools(use('Bash', { command: `mkdir ${folder}`, description: 'make it' }))
}

const plan = (text: string) => tools(use('ExitPlanMode', { plan: text }))

/** What the model was sent last. */
const lastSent = ({ model }: HubPlace) => JSON.stringify(model.requests.at(-1)?.body)

async function leave(terminal: Terminal): Promise<void> {
  await say(terminal, '/exit')
  terminal.press('Enter') // the first one may only choose it from the list of commands
  await terminal.sees('exit code 0')
}

test.runIf(hasTerminal)(
  'a plan of a terminal is approved elsewhere, and its work begins; one that is denied is read with the reason',
  { timeout: 60_000 },
  async () => {
    const { place, open } = await terminalPlace({
      main: [
        plan('# First plan'),
        plan('# Second plan'),
        tools(use('Bash', { command: 'mkdir planned', description: 'make it' })),
        reply('all done'),
      ],
    })
    const hub = await place.start()
    const terminal = await open({ args: ['--permission-mode=plan'] })
    await say(terminal, 'begin')
    const first = await theQuestion(hub)
    expect(first).toMatchObject({ kind: 'plan', carrier: 'terminal' })
    await hub.call('answer', { approvalId: first.id, approve: false, message: 'Say more.' })
    const second = await eventually(async () => {
      const asked = await theQuestion(hub)
      expect(asked.id).not.toBe(first.id)
      return asked
    })
    expect(lastSent(place)).toContain('Say more.')
    await hub.call('answer', { approvalId: second.id, approve: true })
    // Out of plan mode: the command is asked about, and runs.
    const command = await eventually(async () => {
      const asked = await theQuestion(hub)
      expect(asked.toolName).toBe('Bash')
      return asked
    })
    await hub.call('answer', { approvalId: command.id, approve: true })
    await terminal.sees('all done')
    expect(existsSync(join(place.project, 'planned'))).toBe(true)
  },
)

test.runIf(hasTerminal)(
  'after /clear a terminal is another session, which asks; the one before has ended and can be continued here',
  { timeout: 60_000 },
  async () => {
    const { place, open } = await terminalPlace({ main: make })
    const plexus = plexusAt(place)
    const hub = await place.start()
    const terminal = await open()
    await say(terminal, 'Make before')
    const before = await theQuestion(hub)
    await hub.call('answer', { approvalId: before.id, approve: true })
    await terminal.sees('It is made.')
    await say(terminal, '/clear')
    await eventually(async () => {
      const old = await hub.call<Session>('getSession', { sessionId: before.sessionId })
      expect(old.outside).toBeUndefined()
    })
    await say(terminal, 'Make after')
    const after = await theQuestion(hub)
    expect(after.sessionId).not.toBe(before.sessionId)
    await terminal.sees(PROCEED)
    await hub.call('answer', { approvalId: after.id, approve: true })
    await eventually(() => expect(existsSync(join(place.project, 'after'))).toBe(true))

    place.sessions.add(before.sessionId)
    expect(await plexus('say', before.sessionId, 'Are you there?')).toMatchObject({ exitCode: 0 })
    expect(await plexus('wait', before.sessionId)).toMatchObject({ exitCode: 0 })
    expect(lastSent(place)).toContain('Make before')
    expect((await plexus('say', after.sessionId, 'Not now')).stderr).toContain('open in a terminal')
  },
)

test.runIf(hasTerminal)(
  'the conversation of a terminal that has ended is continued by say and attach, with its questions asked here',
  { timeout: 60_000 },
  async () => {
    const { place, open } = await terminalPlace({ main: make })
    const plexus = plexusAt(place)
    const hub = await place.start()
    const terminal = await open()
    await say(terminal, 'Make first')
    const first = await theQuestion(hub)
    await hub.call('answer', { approvalId: first.id, approve: true })
    await terminal.sees('It is made.')
    const [session] = await sessionsOf(hub)
    const name = session?.name ?? ''
    expect(name).not.toBe('')
    expect((await plexus('say', name, 'Not now')).stderr).toContain('open in a terminal')
    await leave(terminal)
    await eventually(async () => expect((await sessionsOf(hub))[0]?.outside).toBeUndefined())

    place.sessions.add(session?.id ?? '')
    expect(await plexus('say', name, 'Make second')).toMatchObject({ exitCode: 0 })
    const second = await theQuestion(hub)
    expect(second).toMatchObject({ carrier: 'control', sessionId: first.sessionId })
    expect(lastSent(place)).toContain('Make first')
    await plexus('allow', `${name}.2`)
    expect(await plexus('wait', name)).toMatchObject({ exitCode: 0 })
    expect(existsSync(join(place.project, 'second'))).toBe(true)

    const attached = await openTerminal([process.execPath, place.program, 'attach', name], {
      env: { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8' },
      cwd: place.project,
      columns: 120,
      rows: 40,
    })
    await attached.sees('It is made.')
    await say(attached, 'the third word')
    await attached.sees('Heard: the third word')
  },
)

test.runIf(hasTerminal)(
  'what a session of ours asks while it is open in a claude is in the inbox, and is answered there',
  { timeout: 60_000 },
  async () => {
    const { place } = await terminalPlace({ main: make })
    const plexus = plexusAt(place)
    const hub = await place.start()
    await plexus('start', '-d', '--name', 'web', 'Hello')
    expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 0 })
    const terminal = await openTerminal([process.execPath, place.program, 'attach', '--claude', 'web'], {
      env: { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8' },
      cwd: place.project,
      columns: 120,
      rows: 40,
    })
    await terminal.sees('Heard: Hello')
    await terminal.sees(/❯\s*\n/)
    await say(terminal, 'Make inside')
    const asked = await theQuestion(hub)
    expect(asked).toMatchObject({ carrier: 'terminal', shortId: 'web.1' })
    await terminal.sees(PROCEED)
    expect((await plexus('pending')).stdout).toContain('mkdir inside')
    expect(await plexus('allow', 'web.1')).toMatchObject({ exitCode: 0 })
    await terminal.sees('It is made.')
    expect(existsSync(join(place.project, 'inside'))).toBe(true)
  },
)
