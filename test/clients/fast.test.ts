/** What `npm run test:clients` runs with every client, here with those that need nothing to be fetched. */
import { expect, test } from 'vitest'
import type { Transport } from './client.ts'
import { claudeCode } from './hosts/claude-code.ts'
import { mcpSdks } from './libraries/mcp-sdk.ts'
import { runClient } from './run-client.ts'

const PAIRS: [name: string, transport: Transport][] = [
  ['stream-json-answers-197', 'stdio'],
  ['stream-json-declines-197', 'HTTP'],
  ['stream-json-silent-197', 'stdio'],
  ['sdk-1', 'HTTP'],
  ['sdk-2-legacy-forms', 'stdio'],
  ['sdk-2-auto', 'HTTP'],
]

// The limit is for a hang: a host is three processes, each of which takes its time on a busy machine.
test.each(PAIRS)('%s runs the whole flow over %s', { timeout: 90_000 }, async (name, transport) => {
  const client = [...claudeCode, ...mcpSdks].find((one) => one.name === name)
  if (!client) throw new Error(`There is no client ${name}.`)
  expect(await runClient({ client, transport, run: 'flow' })).toEqual({
    start: 'ok',
    question: 'ok',
    allow: 'ok',
    deny: 'ok',
    done: 'ok',
  })
})
