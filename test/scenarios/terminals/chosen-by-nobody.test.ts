/** What a person at a terminal has not chosen does not happen: a mode after a plan, a second process in one conversation. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply, tools, use } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { PROCEED, say } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { questionAfter, sessionsOf, theQuestion } from '../../rig/terminals/terminal-questions.ts'
import { madeIn, MAKES } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal, type Terminal } from '../../rig/tools/terminal.ts'

const plan = () => tools(use('ExitPlanMode', { plan: '# A plan' }))

/** Shift+Tab leads from mode to mode, and to the one for plans through the one that edits unasked. */
async function chooseMode(terminal: Terminal, sign: string): Promise<void> {
  terminal.press('BTab')
  await terminal.sees(sign)
}

test.runIf(hasTerminal)(
  'a plan that is approved here leaves a terminal in the mode that asks, however it came to plan mode',
  { timeout: 120_000 },
  async () => {
    let file = ''
    const write = () => tools(use('Write', { file_path: file, content: 'written\n' }))
    const replies = [plan, write]
    const main = () => replies.shift()?.() ?? reply('all done')
    const { place, open } = await terminalPlace({ main })
    file = join(place.project, 'written.txt')
    const hub = await place.start()
    const terminal = await open()
    await chooseMode(terminal, 'accept edits on')
    await chooseMode(terminal, 'plan mode on')
    await say(terminal, 'begin')
    const asked = await theQuestion(hub)
    expect(asked).toMatchObject({ kind: 'plan', carrier: 'terminal' })
    await hub.call('answer', { approvalId: asked.id, approve: true })
    const edit = await questionAfter(hub, asked)
    expect(edit).toMatchObject({ toolName: 'Write', carrier: 'terminal' })
    expect(existsSync(file)).toBe(false)
    expect(terminal.visible()).not.toContain('accept edits on')
  },
)

test.runIf(hasTerminal)(
  'a conversation whose process of ours waits for a prompt is opened in a terminal: that asks here, and ours is ended',
  { timeout: 120_000 },
  async () => {
    const { place, open } = await terminalPlace(MAKES)
    const plexus = plexusAt(place)
    const hub = await place.start()
    await plexus('start', '-d', '--name', 'web', 'Hello')
    expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 0 })
    const [ours] = await sessionsOf(hub)
    const terminal = await open({ args: ['--resume', ours?.id ?? ''] })
    await terminal.sees('Heard: Hello')
    await eventually(async () =>
      expect((await plexus('say', 'web', 'Not now')).stderr).toContain('open in a terminal'),
    )
    await say(terminal, 'Make there')
    const asked = await theQuestion(hub)
    expect(asked).toMatchObject({ carrier: 'terminal', sessionId: ours?.id, shortId: 'web.1' })
    await terminal.sees(PROCEED)
    expect(await plexus('allow', 'web.1')).toMatchObject({ exitCode: 0 })
    await terminal.sees('It said:')
    expect(await madeIn(place.project)).toEqual(['there'])
  },
)
