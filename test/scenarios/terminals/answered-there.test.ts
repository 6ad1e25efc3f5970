import { expect, test } from 'vitest'
import { say as reply, tools, use } from '../../../src/demo/scenario.ts'
import {
  chooseThere,
  PROCEED,
  questions,
  say,
  sessionsOf,
  settled,
  terminalPlace,
  theQuestion,
} from '../../rig/hubs/terminal-place.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

const run = (command: string) => tools(use('Bash', { command, description: 'run it' }))

test.runIf(hasTerminal)(
  'what is answered in the terminal is over here, before its tool has ended',
  async () => {
    const { place, open } = await terminalPlace({ main: [run('mkdir a && sleep 20'), reply('done')] })
    const hub = await place.start()
    const terminal = await open()
    await say(terminal, 'begin')
    const asked = await theQuestion(hub)
    await chooseThere(terminal, 'Yes')
    expect(await settled(hub, asked)).toMatchObject({ status: 'withdrawn', end: 'answered in the terminal' })
    const late = hub.call('answer', { approvalId: asked.id, approve: false })
    await expect(late).rejects.toMatchObject({ code: 'already_settled' })
    expect((await sessionsOf(hub))[0]).toMatchObject({ status: 'running' })
  },
)

test.runIf(hasTerminal)('a question is over when the person presses Escape, or says no', async () => {
  const { place, open } = await terminalPlace({ main: [run('mkdir a'), run('mkdir b'), reply('done')] })
  const hub = await place.start()
  const terminal = await open()
  await say(terminal, 'begin')
  const first = await theQuestion(hub)
  await terminal.sees(PROCEED)
  terminal.press('Escape')
  expect(await settled(hub, first)).toMatchObject({ end: 'answered in the terminal' })

  await say(terminal, 'again')
  const second = await theQuestion(hub)
  await eventually(async () => expect(terminal.visible()).toContain('mkdir b'))
  await chooseThere(terminal, 'No')
  expect(await settled(hub, second)).toMatchObject({ end: 'answered in the terminal' })
})

test.runIf(hasTerminal)('a terminal that is closed or killed asks nothing any more', async () => {
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
})
