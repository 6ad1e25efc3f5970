/** Conversations between a terminal and the hub: a plan, `/clear`, a terminal that has ended, and one of ours that is opened there. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply, tools, use } from '../../../src/demo/scenario.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import type { HubPlace } from '../../rig/hubs/hub.ts'
import { leave, PROCEED, say } from '../../rig/terminals/terminal-keys.ts'
import { askingTerminal, terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { questionAfter, sessionsOf, theQuestion } from '../../rig/terminals/terminal-questions.ts'
import { madeIn, MAKES, run } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

const plan = (text: string) => tools(use('ExitPlanMode', { plan: text }))

/** What the model was sent last. */
const lastSent = ({ model }: HubPlace) => JSON.stringify(model.requests.at(-1)?.body)

test.runIf(hasTerminal)(
  'a plan of a terminal is approved elsewhere, and its work begins; one that is denied is read with the reason',
  { timeout: 90_000 },
  async () => {
    const main = [plan('# First plan'), plan('# Second plan'), run('mkdir planned'), reply('all done')]
    const inPlanMode = { open: { args: ['--permission-mode=plan'] } }
    const { place, hub, terminal, asked: first } = await askingTerminal({ main }, inPlanMode)
    expect(first).toMatchObject({ kind: 'plan', carrier: 'terminal' })
    await hub.call('answer', { approvalId: first.id, approve: false, message: 'Say more.' })
    const second = await questionAfter(hub, first)
    expect(lastSent(place)).toContain('Say more.')
    await hub.call('answer', { approvalId: second.id, approve: true })
    // Out of plan mode: the command is asked about, and runs.
    const command = await questionAfter(hub, second)
    expect(command.toolName).toBe('Bash')
    await hub.call('answer', { approvalId: command.id, approve: true })
    await terminal.sees('all done')
    expect(existsSync(join(place.project, 'planned'))).toBe(true)
  },
)

test.runIf(hasTerminal)(
  'after /clear a terminal is another session, which asks; the one before has ended and can be continued here',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace(MAKES)
    const plexus = plexusAt(place)
    const hub = await place.start()
    const terminal = await open()
    await say(terminal, 'Make before')
    const before = await theQuestion(hub)
    await hub.call('answer', { approvalId: before.id, approve: true })
    await terminal.sees('It said:')
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
    await eventually(async () => expect(await madeIn(place.project)).toEqual(['after', 'before']))

    place.sessions.add(before.sessionId)
    expect(await plexus('say', before.sessionId, 'Are you there?')).toMatchObject({ exitCode: 0 })
    expect(await plexus('wait', before.sessionId)).toMatchObject({ exitCode: 0 })
    expect(lastSent(place)).toContain('Make before')
    expect((await plexus('say', after.sessionId, 'Not now')).stderr).toContain('open in a terminal')
  },
)

test.runIf(hasTerminal)(
  'the conversation of a terminal that has ended is continued by say and attach, with its questions asked here',
  { timeout: 90_000 },
  async () => {
    const { place, open, typed } = await terminalPlace(MAKES)
    const plexus = plexusAt(place)
    const hub = await place.start()
    const terminal = await open()
    await say(terminal, 'Make first')
    const first = await theQuestion(hub)
    await hub.call('answer', { approvalId: first.id, approve: true })
    await terminal.sees('It said:')
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
    expect(await madeIn(place.project)).toEqual(['first', 'second'])

    const attached = await typed('attach', name)
    await attached.sees('It said:')
    await say(attached, 'the third word')
    await attached.sees('Heard: the third word')
  },
)

test.runIf(hasTerminal)(
  'what a session of ours asks while it is open in a claude is in the inbox, and is answered there',
  { timeout: 90_000 },
  async () => {
    const { place, typed } = await terminalPlace(MAKES)
    const plexus = plexusAt(place)
    const hub = await place.start()
    await plexus('start', '-d', '--name', 'web', 'Hello')
    expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 0 })
    const terminal = await typed('attach', '--claude', 'web')
    await terminal.sees('Heard: Hello')
    await terminal.sees(/❯\s*\n/)
    await say(terminal, 'Make inside')
    const asked = await theQuestion(hub)
    expect(asked).toMatchObject({ carrier: 'terminal', shortId: 'web.1' })
    await terminal.sees(PROCEED)
    expect((await plexus('pending')).stdout).toContain('echo inside')
    expect(await plexus('allow', 'web.1')).toMatchObject({ exitCode: 0 })
    await terminal.sees('It said:')
    expect(await madeIn(place.project)).toEqual(['inside'])
  },
)
