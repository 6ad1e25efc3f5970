import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply, tools, use } from '../../../src/demo/scenario.ts'
import { askingTerminal } from '../../rig/terminals/terminal-place.ts'
import { PROCEED } from '../../rig/terminals/terminal-keys.ts'
import { questionAfter, sessionsOf, settled } from '../../rig/terminals/terminal-questions.ts'
import { run } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

const COLOUR = tools(
  use('AskUserQuestion', {
    questions: [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
      },
    ],
  }),
)

test.runIf(hasTerminal)(
  'a question of a terminal is answered elsewhere: allowed, denied with a reason, and with an option',
  { timeout: 90_000 },
  async () => {
    const main = [run('mkdir allowed'), run('mkdir denied'), COLOUR, reply('all answered')]
    const { place, hub, terminal, asked: first } = await askingTerminal({ main })
    await terminal.sees(PROCEED)
    expect(first).toMatchObject({ carrier: 'terminal', toolName: 'Bash', cwd: place.project })
    expect(existsSync(join(place.project, 'allowed'))).toBe(false)
    const [asking] = await sessionsOf(hub)
    expect(asking).toMatchObject({ status: 'waiting', terminal: true, outside: { to: 'terminal' } })
    await hub.call('answer', { approvalId: first.id, approve: true })
    expect(await settled(hub, first)).toMatchObject({ status: 'allowed' })

    const second = await questionAfter(hub, first)
    expect(existsSync(join(place.project, 'allowed'))).toBe(true)
    await hub.call('answer', { approvalId: second.id, approve: false, message: 'Not this folder.' })

    const third = await questionAfter(hub, second)
    expect(third.kind).toBe('question')
    expect(existsSync(join(place.project, 'denied'))).toBe(false)
    expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('Not this folder.')
    await hub.call('answer', { approvalId: third.id, answers: ['Blue'] })
    await terminal.sees('all answered')
    expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('Blue')

    await eventually(async () => {
      const [session] = await sessionsOf(hub)
      expect(session).toMatchObject({ terminal: true, status: 'idle', questions: 3 })
    })
  },
)
