import { expect, test } from 'vitest'
import { z } from 'zod'
import { status } from '../../../src/api/claude/status.ts'
import { toolOf } from '../../../src/transports/mcp/mcp-tool.ts'
import { TABLE, traitsOf } from '../../../src/transports/mcp/tool-table.ts'

test.each([
  ['claude_list', { isReadOnly: true, waits: false }],
  ['claude_status', { isReadOnly: true, waits: true }],
  ['claude_respond', { isReadOnly: false, waits: true }],
  ['claude_interrupt', { isReadOnly: false, waits: false }],
  ['claudecode_chat', { isReadOnly: false, waits: true }],
  ['no_such_tool', { isReadOnly: false, waits: false }],
])('when the hub ends in the middle of %s, it matters that it has %j', (name, traits) => {
  expect(traitsOf(TABLE, name)).toEqual(traits)
})

test('a tool takes an object and returns an object, as MCP demands', () => {
  expect(() => toolOf({ ...status, listed: z.string() })).toThrow('object')
  expect(() => toolOf({ ...status, output: z.string() })).toThrow('object')
})
