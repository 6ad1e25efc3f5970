import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply, tools, use } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { askingTerminal, beginAtTerminal, terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { chooseThere, PROCEED, pressUntil, say, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import {
  questionAfter,
  questions,
  sessionsOf,
  settled,
  theQuestion,
} from '../../rig/terminals/terminal-questions.ts'
import { run } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal, type Terminal } from '../../rig/tools/terminal.ts'

/** The number of the choice that the dialog marks. */
const chosen = (terminal: Terminal) => /❯ (\d)\./.exec(terminal.visible())?.[1]

const THERE = { status: 'withdrawn', end: 'answered in the terminal' }

test.runIf(hasTerminal)(
  'what is answered in the terminal is over here, before its tool has ended',
  { timeout: 90_000 },
  async () => {
    const { hub, terminal, asked } = await askingTerminal({
      main: [run('mkdir a && sleep 20'), reply('done')],
    })
    await chooseThere(terminal, 'Yes')
    expect(await settled(hub, asked)).toMatchObject(THERE)
    const late = hub.call('answer', { approvalId: asked.id, approve: false })
    await expect(late).rejects.toMatchObject({ code: 'already_settled' })
    expect((await sessionsOf(hub))[0]).toMatchObject({ status: 'running' })
  },
)

test.runIf(hasTerminal)(
  'a question is over when the person presses Escape, or says no',
  { timeout: 90_000 },
  async () => {
    const main = [run('mkdir a'), run('mkdir b'), reply('done')]
    const { place, hub, terminal, asked: first } = await askingTerminal({ main })
    await terminal.sees(PROCEED)
    await pressUntil(terminal, 'Escape', () => !terminal.visible().includes(PROCEED))
    expect(await settled(hub, first)).toMatchObject(THERE)

    await say(terminal, 'again')
    const second = await theQuestion(hub)
    await seesDialog(terminal, 'mkdir b')
    await chooseThere(terminal, 'No')
    expect(await settled(hub, second)).toMatchObject(THERE)
    for (const name of ['a', 'b']) expect(existsSync(join(place.project, name))).toBe(false)
  },
)

test.runIf(hasTerminal)(
  'a no with a reason that the person types in the dialog ends the question here, and the turn continues',
  { timeout: 90_000 },
  async () => {
    const main = [run('mkdir a'), reply('I will not.')]
    const { place, hub, terminal, asked } = await askingTerminal({ main })
    await seesDialog(terminal, 'mkdir a')
    // The last choice is No, and Tab opens a line for the reason.
    while (!/❯ \d\. No\b/.test(terminal.visible())) {
      const before = chosen(terminal)
      await pressUntil(terminal, 'Down', () => chosen(terminal) !== before)
    }
    await pressUntil(terminal, 'Tab', () => /❯ \d\. No, /.test(terminal.visible()))
    terminal.type('use the other folder')
    await terminal.sees('use the other folder')
    await pressUntil(terminal, 'Enter', () => !terminal.visible().includes(PROCEED))
    expect(await settled(hub, asked)).toMatchObject(THERE)
    await terminal.sees('I will not.')
    expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('use the other folder')
    expect(existsSync(join(place.project, 'a'))).toBe(false)
  },
)

test.runIf(hasTerminal)(
  'two questions of one turn are each settled once: one in the terminal, the other here',
  { timeout: 90_000 },
  async () => {
    const both = tools(
      use('Bash', { command: 'mkdir one', description: 'make it' }),
      use('Bash', { command: 'mkdir two', description: 'make it' }),
    )
    const { place, hub, terminal } = await beginAtTerminal({ main: [both, reply('both are over')] })
    await seesDialog(terminal, 'mkdir one')
    const asked = await eventually(async () => {
      const open = await hub.call<PendingQuestion[]>('pending')
      const one = open.find(({ input }) => input['command'] === 'mkdir one')
      if (!one) throw new Error('The first is not asked.')
      return one
    })
    await chooseThere(terminal, 'Yes')
    await eventually(() => expect(existsSync(join(place.project, 'one'))).toBe(true))
    expect(await settled(hub, asked)).toMatchObject(THERE)
    const other = await theQuestion(hub)
    expect(other.input).toMatchObject({ command: 'mkdir two' })
    await seesDialog(terminal, 'mkdir two')
    await hub.call('answer', { approvalId: other.id, approve: false, message: 'Not two.' })
    await terminal.sees('both are over')
    expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('Not two.')
    expect(existsSync(join(place.project, 'two'))).toBe(false)
    expect(await hub.call<object[]>('decisions')).toHaveLength(2)
  },
)

test.runIf(hasTerminal)(
  'a key after a question was answered here reaches the next dialog alone: nothing is answered twice',
  { timeout: 90_000 },
  async () => {
    const main = [run('echo a >> a'), run('echo b >> b'), reply('both are over')]
    const { place, hub, terminal, asked: first } = await askingTerminal({ main })
    await seesDialog(terminal, 'echo a')
    await hub.call('answer', { approvalId: first.id, approve: true })
    const second = await questionAfter(hub, first)
    await seesDialog(terminal, 'echo b')
    await chooseThere(terminal, 'Yes')
    await terminal.sees('both are over')
    expect(await settled(hub, first)).toMatchObject({ status: 'allowed', by: 'operator' })
    expect(await settled(hub, second)).toMatchObject(THERE)
    for (const name of ['a', 'b']) expect(await readFile(join(place.project, name), 'utf8')).toBe(`${name}\n`)
  },
)

test.runIf(hasTerminal)(
  'a terminal that is closed or killed asks nothing any more',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace({ main: [run('mkdir a'), reply('done')] })
    const hub = await place.start()
    const [closed, killed] = [await open(), await open()]
    for (const terminal of [closed, killed]) await say(terminal, 'begin')
    const both = await questions(hub, 2)
    await closed.sees(PROCEED)
    await killed.sees(PROCEED)
    closed.close()
    process.kill(killed.pid(), 'SIGKILL')
    for (const asked of both) expect(await settled(hub, asked)).toMatchObject({ status: 'withdrawn' })
    await eventually(async () => {
      for (const session of await sessionsOf(hub)) expect(session).toMatchObject({ stopped: true })
    })
  },
)
