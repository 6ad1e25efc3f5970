import { expect, test } from 'vitest'
import { say } from '../../src/demo/scenario.ts'
import { Command } from '../../src/events/session-event.ts'
import { supervise } from '../rig/supervised.ts'

test.each(Command.options)(
  'the command %s is done when its turn is: no next process gets it again',
  async (command) => {
    const session = await supervise({ scenario: { main: [say('hello')] }, prompt: { command } })
    await session.event('turn.ended')
    const { promptId } = await session.event('prompt.accepted')
    expect(session.all('prompt.echoed')).toContainEqual({ type: 'prompt.echoed', promptId })
  },
)
