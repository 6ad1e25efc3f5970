import { expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { type CallerClaim, claimHeaders } from '../../../src/callers/caller-claim.ts'
import { AppError } from '../../../src/base/errors.ts'
import { createLog } from '../../../src/base/log.ts'
import { failedCall } from '../../../src/transports/operation/failed-call.ts'
import {
  inProcessCalls,
  offeredOperation,
  runByName,
} from '../../../src/transports/operation/operation-by-name.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'

const known = { sessions: [], questions: [] }
const { signal } = new AbortController()
const DENY = {
  tool: 'claude_respond',
  arguments: { sessionId: CHILD, id: QUESTION, answers: ['deny'] },
  known,
}

async function aHub() {
  const { app, store } = await aFamily()
  const parts = { engine: app.engine, onError: () => {}, onRefused: () => {} }
  return { parts, approval: () => store.approvals.get(QUESTION) }
}

test('a tool that there is not is refused by the head of its name', () => {
  const tool = `${'x'.repeat(100)}y`
  expect(() => offeredOperation(CALLERS.operator, { tool })).toThrow(
    `There is no tool ${'x'.repeat(100)} here.`,
  )
})

test('a child that may only ask has no tool by name', () => {
  const child = { ...CALLERS.itself, scopes: [] }
  expect(() => offeredOperation(child, { tool: 'claude_list' })).toThrow('may ask')
  expect(offeredOperation(CALLERS.itself, { tool: 'claude_list' }).name).toBe('claude_list')
})

test.each([
  [undefined, 'tool'],
  ['rpc', 'rpc'],
] as const)('an answer of a caller whose way is %s is on record as one by %s', async (via, recorded) => {
  const { parts, approval } = await aHub()
  await runByName(parts, DENY, { caller: { ...CALLERS.operator, via }, signal })
  expect(await approval()).toMatchObject({ status: 'denied', via: recorded })
})

test('a call in the process of the hub is made with a token, as from any other process', async () => {
  const { parts } = await aHub()
  const claims: CallerClaim[] = []
  const callers = new Map<string, Caller>([['good', CALLERS.operator]])
  const identify = async (token: string, claim: CallerClaim) => {
    claims.push(claim)
    return callers.get(token)
  }
  const headers = claimHeaders(MODEL)
  const events: object[] = []
  const options = { headers, signal, onEvent: (event: object) => void events.push(event) }
  const look = {
    tool: 'claude_status',
    arguments: { sessionId: CHILD, waitSeconds: 0 },
    known,
    observe: true,
  }
  const answer = await inProcessCalls({ ...parts, identify }, 'good')(look, options)
  expect(answer).toMatchObject({ memory: { asked: [QUESTION] }, looked: { asked: [{ id: QUESTION }] } })
  expect(JSON.parse(answer.resultText)).toMatchObject({ structuredContent: { sessionId: CHILD } })
  expect(claims).toMatchObject([{ model: true }])
  expect(events).not.toEqual([])
  await expect(inProcessCalls({ ...parts, identify }, 'bad')(look, options)).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('a call that no hub has answered is an error in the words of its tool, and logged if it is a bug', () => {
  const lines: string[] = []
  const log = createLog('error', (line) => lines.push(line))
  const result = (tool: string, error: unknown) => JSON.parse(failedCall(tool, error, log)) as object
  const busy = new AppError('busy', 'No hub answers.')
  expect(result('no_such_tool', busy)).toMatchObject({
    isError: true,
    content: [{ text: '{"code":"busy","message":"No hub answers."}' }],
  })
  expect(result('loopback_respond', busy)).toMatchObject({
    content: [{ text: expect.stringContaining('"type":"error"') as unknown }],
  })
  expect(lines).toEqual([])
  result('claude_list', new TypeError('a bug'))
  expect(lines).toEqual([expect.stringContaining('a bug')])
})
