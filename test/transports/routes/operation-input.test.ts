import { expect, test } from 'vitest'
import { answerOperation } from '../../../src/transports/routes/operation-route.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { CHAT_INPUT, oneTurnEngine } from '../../rig/hubs/one-turn.ts'
import { SlowResponse } from '../../rig/tools/slow-response.ts'

const CALL = {
  tool: 'claudecode_tree',
  arguments: { session_id: CHAT_INPUT.session_id },
  known: { sessions: [], questions: [] },
}

async function send(response: SlowResponse, call: object): Promise<void> {
  const parts = { engine: oneTurnEngine(), onError: () => {}, onRefused: () => {} }
  const who = { caller: CALLERS.operator, signal: new AbortController().signal }
  await answerOperation(response.asResponse, parts, who, JSON.stringify(call))
}

const ids = (length: number) => Array.from({ length }, (_, at) => `s${at}`)

test.each([
  ['no tool', { tool: undefined }],
  ['no memory', { known: undefined }],
  ['too many sessions', { known: { sessions: ids(1_001), questions: [] } }],
  ['no questions', { known: { sessions: [] } }],
  ['an unknown setting', { ask: 'me' }],
  ['a negative time limit', { timeoutMs: -1 }],
  ['half a millisecond', { timeoutMs: 0.5 }],
  ['a negative wait', { waitedMs: -1 }],
  ['a session that is no text', { again: { sessionId: 1 } }],
  ['a tool that there is not', { tool: 'claude_fly' }],
])('a call with %s is refused before anything happens', async (_, wrong) => {
  const response = new SlowResponse()
  await expect(send(response, { ...CALL, ...wrong })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(response.headersSent).toBe(false)
})

test.each([
  ['1000 known sessions', { known: { sessions: ids(1_000), questions: ids(1_000) } }],
  ['limits of 0', { timeoutMs: 0, waitedMs: 0 }],
  ['large limits', { timeoutMs: 60_000, waitedMs: 1.5 }],
])('a call with %s is run', async (_, more) => {
  const response = new SlowResponse()
  await send(response, { ...CALL, ...more })
  expect(response.status).toBe(200)
})
