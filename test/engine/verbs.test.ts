import { assert, asyncProperty, constantFrom, dictionary, jsonValue, oneof } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Engine, CallContext } from '../../src/engine/engine.ts'
import { callVerb, UnknownVerb, VERB_INPUTS } from '../../src/engine/verbs.ts'
import { AppError } from '../../src/base/errors.ts'
import { asCallerId } from '../rig/tools/ids.ts'
import { runs } from '../rig/tools/property-runs.ts'

const OPERATOR: CallContext = {
  caller: { id: asCallerId('operator'), kind: 'operator', name: 'operator', scopes: [], person: true },
}
const uuid = '0b9f3d6e-4c1a-4d4e-9a53-0f6f1d2f7a10'

/** An engine that rejects with the input it was given. */
const given = async (_: CallContext, input: object): Promise<never> => Promise.reject(new Given(input))
class Given extends Error {
  readonly input: object
  constructor(input: object) {
    super('given')
    this.input = input
  }
}
const echo: Engine = {
  createSession: given,
  startTurn: given,
  getSession: given,
  listSessions: given,
  listConversations: given,
  listTurns: given,
  readEvents: given,
  readTurn: given,
  followEvents: () => {
    throw new Error('followEvents is no verb')
  },
  followAll: () => {
    throw new Error('followAll is no verb')
  },
  waitFor: given,
  pending: given,
  getApproval: given,
  previewChange: given,
  decisions: given,
  costs: given,
  listBudgets: given,
  answer: given,
  answerAll: given,
  escalate: given,
  offerRules: given,
  suggestRules: given,
  replayRules: given,
  importRules: given,
  exportRules: given,
  testCall: given,
  explainQuestion: given,
  listGrants: given,
  revokeGrant: given,
  renameSession: given,
  deleteSession: given,
  extend: given,
  interrupt: given,
  setMode: given,
  setBudget: given,
  setModel: given,
  fork: given,
  tree: given,
  history: given,
  permitConfig: given,
  commandConfig: given,
  judgeCall: given,
  handOver: given,
  returnSession: given,
  stopSession: given,
  listFolders: given,
  inviteDevice: given,
  awaitDevice: given,
  confirmDevice: given,
  listDevices: given,
  removeDevice: given,
  listRecord: given,
  getRecordRow: given,
  exportRecord: given,
  verifyRecord: given,
  readNotices: given,
  setNotices: given,
}

/** What reached the engine, or the error. */
const call = (method: string, input: unknown): Promise<unknown> =>
  callVerb(echo, OPERATOR, method, input).catch((error: unknown) =>
    error instanceof Given ? error.input : Promise.reject(error as Error),
  )

const good: Record<keyof typeof VERB_INPUTS, Record<string, unknown>> = {
  createSession: {
    options: {},
    timeoutMs: 0,
    answerers: 'person',
    ask: 'person',
    resume: uuid,
    content: 'hello',
  },
  startTurn: { sessionId: 'me', content: 'hello' },
  getSession: { sessionId: uuid },
  listSessions: { status: ['idle'], limit: 10, before: { updatedAt: 1, id: uuid } },
  listConversations: { workingDirectory: '/w', limit: 10, before: { updatedAt: 1, sessionId: uuid } },
  listTurns: { sessionId: uuid },
  readEvents: { sessionId: uuid, after: 0, reader: 'me', limit: 1 },
  readTurn: { sessionId: uuid, reader: 'me', turn: 1, from: 0, limit: 0 },
  waitFor: { sessionIds: [uuid], seconds: 0.5 },
  pending: { sessionId: uuid, below: true },
  getApproval: { approvalId: uuid, sessionId: uuid },
  previewChange: { approvalId: uuid, sessionId: uuid, input: { a: 1 } },
  decisions: { sessionId: uuid, below: true, limit: 10, before: uuid },
  costs: { sessionId: uuid, days: 7 },
  listBudgets: {},
  answer: {
    approvalId: uuid,
    sessionId: uuid,
    answers: ['allow'],
    message: 'why',
    updatedInput: {},
    inputSha256: 'f00',
    permissionMode: 'default',
    content: {},
    remember: 'session',
  },
  answerAll: { questions: [{ approvalId: uuid, sessionId: uuid, approve: true, inputSha256: 'f00' }] },
  escalate: { approvalId: uuid, sessionId: uuid, note: 'why' },
  offerRules: { approvalId: uuid, sessionId: uuid },
  suggestRules: { days: 7 },
  replayRules: { rules: { v: 1 }, days: 7 },
  importRules: { settings: '{}', replaces: '', days: 7 },
  exportRules: {},
  testCall: { sessionId: uuid, call: 'Bash(git push)', mode: 'plan' },
  explainQuestion: { approvalId: uuid },
  listGrants: { sessionId: uuid, ended: true },
  revokeGrant: { sessionId: uuid, grantId: uuid },
  renameSession: { sessionId: uuid, name: 'other' },
  deleteSession: { sessionId: uuid, stop: true },
  extend: { approvalId: uuid, sessionId: uuid, seconds: 60 },
  interrupt: { sessionId: uuid },
  setMode: { sessionId: uuid, mode: 'plan', interrupt: true },
  setBudget: { sessionId: uuid, budget: { usd: 5 } },
  setModel: { sessionId: uuid, model: 'opus' },
  fork: { sessionId: uuid, nodeId: uuid, name: 'other' },
  tree: { sessionId: uuid },
  history: { sessionId: uuid },
  permitConfig: { sessionId: uuid },
  commandConfig: { sessionId: uuid },
  judgeCall: { hookInput: {} },
  handOver: { sessionId: uuid, to: 'terminal', pid: 7, stop: true },
  returnSession: { sessionId: uuid, pid: 7, exitCode: 1, signal: 'SIGINT', cliSessionId: uuid },
  stopSession: { sessionId: uuid },
  listFolders: { path: '/home' },
  inviteDevice: { scope: 'answer', confirm: true },
  awaitDevice: { code: 'abc', seconds: 1 },
  confirmDevice: { code: 'abc', decision: 'accept' },
  listDevices: {},
  removeDevice: { name: 'phone' },
  listRecord: { sessionId: 'web', approvalId: 'web.1', kind: 'settled', before: 9, limit: 5 },
  getRecordRow: { number: 1 },
  exportRecord: { after: 0, until: 9 },
  verifyRecord: { anchors: '' },
  readNotices: {},
  setNotices: { reasons: ['question'], push: { endpoint: 'https://a.example', p256dh: 'x', auth: 'y' } },
}

describe.each(Object.entries(good))('%s', (method, input) => {
  test('takes every field it knows', async () => {
    expect(await call(method, input)).toMatchObject(input)
  })

  test('refuses a field it does not know, by name', async () => {
    await expect(call(method, { ...input, sesionId: uuid })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('sesionId'),
    })
  })

  test.each(Object.keys(input))('refuses a wrong %s, by name', async (field) => {
    for (const wrong of [false, ['x'.repeat(201), 7], null]) {
      await expect(call(method, { ...input, [field]: wrong })).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining(field === 'options' ? '' : field),
      })
    }
  })
})

const say = (content: unknown) => call('startTurn', { sessionId: uuid, content })

describe('content', () => {
  const block = { type: 'text', text: 'look' }
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

  test('may be text or blocks, up to 12 MB', async () => {
    expect(await say([block, image])).toMatchObject({ content: [block, image] })
    expect(await say('x'.repeat(12 * 1024 * 1024))).toBeTruthy()
    await expect(say('x'.repeat(12 * 1024 * 1024 + 1))).rejects.toThrow('at most 12 MB')
    await expect(say([{ type: 'text', text: 'ü'.repeat(6 * 1024 * 1024) }])).rejects.toThrow('at most 12 MB')
  })

  test.each([
    [
      'a tool result, which a tool alone may give',
      [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }],
    ],
    ['nothing', ''],
    ['no blocks', []],
    ['a block with more than it may have', [{ ...block, cache_control: {} }]],
    ['a block without its text', [{ type: 'text' }]],
  ])('may not be %s', async (_, content) => {
    await expect(say(content)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('content'),
    })
  })
})

test('a start option that is wrong is named', async () => {
  await expect(call('createSession', { options: { modell: 'opus' } })).rejects.toThrow('modell')
  await expect(call('createSession', { options: { maxTurns: 0 } })).rejects.toThrow('maxTurns')
})

test('without options a session has those that the CLI has', async () => {
  expect(await call('createSession', {})).toMatchObject({ options: { permissionMode: 'default' } })
})

test.each(['nope', 'followEvents', 'constructor', '__proto__', 'toString', ''])(
  'there is no verb %j, and the error differs from that of a wrong input',
  async (method) => {
    await expect(call(method, {})).rejects.toBeInstanceOf(UnknownVerb)
  },
)

test('whatever JSON comes, it reaches the engine or is invalid_input', async () => {
  const fields = [...new Set(Object.values(good).flatMap((input) => Object.keys(input)))]
  const nearly = dictionary(constantFrom(...fields), jsonValue())
  const methods = constantFrom(...Object.keys(VERB_INPUTS))
  await assert(
    asyncProperty(methods, oneof(jsonValue(), nearly), async (method, input) => {
      const code = await call(method, input).then(
        () => 'given',
        (error: unknown) => (error instanceof AppError ? error.code : error),
      )
      expect(['given', 'invalid_input']).toContain(code)
    }),
    { numRuns: runs(500) },
  )
})
