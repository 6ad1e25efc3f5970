import { expect, test } from 'vitest'
import { promptOf } from '../../../src/sessions/launch/prompt-kinds.ts'

test('a prompt is stored as it is, also when it looks like a command; a command is stored as a command', () => {
  const blocks = [{ type: 'text', text: 'hello' }]
  expect(promptOf('/compact')).toEqual({ content: '/compact' })
  expect(promptOf(blocks)).toEqual({ content: blocks })
  expect(promptOf({ command: 'compact' })).toEqual({ content: '/compact', command: 'compact' })
})
