/** Calls of tools that do not load the whole protocol, against the same calls by the whole protocol. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CallerMemory } from '../../../src/api/operation/caller-memory.ts'
import { operationsFor } from '../../../src/api/operations.ts'
import { AppError } from '../../../src/base/errors.ts'
import { createLog } from '../../../src/base/log.ts'
import { failedCall } from '../../../src/transports/operation/failed-call.ts'
import { runByName } from '../../../src/transports/operation/operation-by-name.ts'
import { jsonOfResult } from '../../../src/transports/operation/tool-result.ts'
import { initialize } from '../../../src/transports/mcp/make-tool-table.ts'
import { serveMcp } from '../../../src/transports/mcp/mcp-stdio.ts'
import { type PlainCallsParts, PlainToolCalls } from '../../../src/transports/mcp/plain-tool-calls.ts'
import { TABLE, traitsOf } from '../../../src/transports/mcp/tool-table.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'
import { aFamily, CHILD } from '../../rig/clients/family.ts'
import { resolvable } from '../../rig/clients/people.ts'

interface Message {
  readonly id?: number
  readonly method?: string
}

const call = (name: string, given: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: given, ...more },
})

const TOOLS = new Map(TABLE.tools.map(({ name }) => [name, traitsOf(TABLE, name)]))

/** Plain calls at an engine, and what they send. */
function plainCalls(parts: Partial<PlainCallsParts>) {
  const sent: Message[] = []
  const plain = new PlainToolCalls({
    tools: TOOLS,
    memory: new CallerMemory(),
    progressMs: 60_000,
    call: () => Promise.reject(new AppError('busy', 'No hub answers.')),
    failed: async (tool, error) => failedCall(tool, error, createLog('silent')),
    send: async (message) => void sent.push(message),
    sendText: async (json) => void sent.push(JSON.parse(json) as Message),
    ...parts,
  })
  return { plain, sent }
}

async function bothWays() {
  const { app, project } = await aFamily()
  const errors: unknown[] = []
  const parts = { engine: app.engine, onError: (error: unknown) => errors.push(error), onRefused: () => {} }
  const { plain, sent } = plainCalls({
    call: async (made, { signal, onEvent }) => {
      const who = { caller: MODEL, signal, onEvent }
      const { result, ...outcome } = await runByName(parts, { ...made, workingDirectory: project }, who)
      return { ...outcome, resultText: jsonOfResult(result) }
    },
  })
  const byWhole: Message[] = []
  const take = await serveMcp(
    {
      ...parts,
      caller: MODEL,
      operations: operationsFor(MODEL, 'all'),
      workingDirectory: project,
      progressMs: 60_000,
      send: async (message) => void byWhole.push(message),
    },
    [initialize('2025-11-25'), { jsonrpc: '2.0', method: 'notifications/initialized' }],
  )
  onTestFinished(() => expect(errors).toEqual([]))
  return { plain, sent, take, byWhole }
}

const done = (messages: readonly Message[]) => messages.some(({ id }) => id === 7)

test.each([
  ['claude_list', {}],
  ['claude_status', { sessionId: CHILD, waitSeconds: 0 }],
  ['claude_status', { sessionId: 'nobody' }],
  ['claude_status', { waitSeconds: -1 }],
  ['claude_respond', {}],
  ['loopback_pending', undefined],
  ['loopback_respond', { approval_id: 'none' }],
] as const)('%s with %j is answered alike', async (name, given) => {
  const { plain, sent, take, byWhole } = await bothWays()
  expect(plain.take(call(name, given), true)).toBe(true)
  take(call(name, given))
  await expect.poll(() => done(sent) && done(byWhole)).toBe(true)
  expect(sent).toEqual(byWhole)
})

test('who wants progress of a call that waits has some at once', async () => {
  const { plain, sent, take, byWhole } = await bothWays()
  const asked = call('claude_status', { sessionId: CHILD }, { _meta: { progressToken: 'p' } })
  expect(plain.take(asked, true)).toBe(true)
  take(asked)
  await expect.poll(() => done(sent) && done(byWhole)).toBe(true)
  expect(sent).toMatchObject([{ method: 'notifications/progress' }, { id: 7 }])
  expect(sent).toEqual(byWhole)
})

test.each([
  ['where a form may be put', call('claude_list', {}), false],
  ['another method', { ...call('claude_list', {}), method: 'resources/list' }, true],
  ['a tool that there is not', call('claude_lost', {}), true],
  ['a list of arguments', call('claude_list', []), true],
  ['a field that it does not know', call('claude_list', {}, { task: {} }), true],
  ['what the newer era says of itself', call('claude_list', {}, { _meta: { 'x/y': 1 } }), true],
  ['an id that is none', { ...call('claude_list', {}), id: 1.5 }, true],
  ['no id', { ...call('claude_list', {}), id: undefined }, true],
  ['nothing', null, true],
  ['a list', [call('claude_list', {})], true],
  ['another version of JSON-RPC', { ...call('claude_list', {}), jsonrpc: '1.0' }, true],
  ['no parameters', { ...call('claude_list', {}), params: null }, true],
  ['a name that is no text', call(7 as unknown as string, {}), true],
  ['a text of arguments', call('claude_list', 'x'), true],
  ['no arguments, but null', call('claude_list', null), true],
  ['a progress token that is none', call('claude_list', {}, { _meta: { progressToken: {} } }), true],
  ['the cancellation of another call', cancelled(9), true],
  ['the cancellation of nothing', { ...cancelled(9), params: undefined }, true],
] as const)('%s is left to the whole protocol', (_, message, isPlain) => {
  const { plain, sent } = plainCalls({})
  expect(plain.take(message, isPlain)).toBe(false)
  expect(sent).toEqual([])
})

function cancelled(requestId: number) {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
}

test('a call that is cancelled is ended, and not answered', async () => {
  const ended = resolvable<void>()
  const { plain, sent } = plainCalls({
    call: (_, { signal }) =>
      new Promise((__, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('aborted'))
          setImmediate(ended.resolve)
        })
      }),
  })
  expect(plain.take(call('claude_interrupt', { sessionId: 's' }), true)).toBe(true)
  expect(plain.take(cancelled(7), true)).toBe(true)
  await ended.promise
  expect(sent).toEqual([])
})

test.each(['claude_list', 'claudecode_streams'])('%s says why no hub has answered', async (tool) => {
  const { plain, sent } = plainCalls({})
  plain.take(call(tool, {}), true)
  await expect.poll(() => sent).toMatchObject([{ id: 7, result: { isError: true } }])
  expect(JSON.stringify(sent)).toContain('No hub answers.')
})

const IMPORT = /^(?:import|export) (?!type\b)[\w\s{},*]*?from '([^']+)'/gm

/** What a file imports when it is loaded: neither types nor what it loads later. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path = '']) => path)

describe('what is loaded for a plain call', () => {
  const src = join(import.meta.dirname, '../../../src')
  const reached = (file: string, seen = new Set<string>()): Set<string> => {
    for (const path of importsOf(file)) {
      const target = path.startsWith('.') ? join(dirname(file), path) : path
      if (seen.has(target)) continue
      seen.add(target)
      if (target.endsWith('.ts')) reached(target, seen)
    }
    return seen
  }

  test.each(['main.ts', 'commands/mcp.ts', 'assembly/mcp-client.ts'])('by %s is no package', (file) => {
    const packages = [...reached(join(src, file))].filter(
      (path) => !path.startsWith('node:') && !path.startsWith('/'),
    )
    expect(packages).toEqual([])
  })

  test('and by the whole protocol there are some', () => {
    const all = reached(join(src, 'assembly/mcp-session.ts'))
    expect([...all]).toEqual(expect.arrayContaining(['zod', '@modelcontextprotocol/server']))
  })
})
