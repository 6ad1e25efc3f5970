import { expect, test } from 'vitest'
import {
  afterCallAnswer,
  controlRequest,
  decisionAnswer,
  errorAnswer,
  hookAnswer,
  initialize,
  lastWill,
  userMessage,
} from '../../../src/child/lines/stdin-messages.ts'
import type { ChildDecision } from '../../../src/events/decision.ts'

const success = (response: unknown) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: 'r', response },
})

const hook = (id: string) => [{ matcher: null, hookCallbackIds: [id], timeout: 5_400 }]

test('our hooks are registered for every tool, before and after the call, and outlast the lease', () => {
  expect(initialize(1_800)).toEqual({
    type: 'control_request',
    request_id: 'plexus-initialize',
    request: {
      subtype: 'initialize',
      hooks: {
        PreToolUse: hook('plexus'),
        PostToolUse: hook('plexus-ran'),
        PostToolUseFailure: hook('plexus-failed'),
      },
    },
  })
})

test('initialize takes the system prompt and the agents of the options', () => {
  const agents = { a: { description: 'd', prompt: 'p' } }
  expect(initialize(1, { appendSystemPrompt: 'Be brief.', agents })).toMatchObject({
    request: { appendSystemPrompt: 'Be brief.', agents },
  })
})

test('the last will interrupts, then ends the session', () => {
  expect(lastWill()).toMatchObject([
    { request: { subtype: 'interrupt' } },
    { request: { subtype: 'end_session' } },
  ])
})

test.each<[string, ChildDecision, unknown]>([
  [
    'allow carries the input that runs',
    { behavior: 'allow', updatedInput: { a: 1 } },
    { behavior: 'allow', updatedInput: { a: 1 } },
  ],
  [
    'a note does not go with the answer',
    { behavior: 'allow', updatedInput: { a: 1 }, message: 'well done' },
    { behavior: 'allow', updatedInput: { a: 1 } },
  ],
  [
    'allow may carry rules',
    { behavior: 'allow', updatedInput: {}, updatedPermissions: [{ type: 'setMode' }] },
    { behavior: 'allow', updatedInput: {}, updatedPermissions: [{ type: 'setMode' }] },
  ],
  [
    'deny carries its reason',
    { behavior: 'deny', message: 'no', interrupt: true },
    { behavior: 'deny', message: 'no', interrupt: true },
  ],
  [
    'a form is answered by its action',
    { behavior: 'form', action: 'accept', content: { name: 'Ada' } },
    { action: 'accept', content: { name: 'Ada' } },
  ],
  ['and content only where there is some', { behavior: 'form', action: 'decline' }, { action: 'decline' }],
])('%s', (_, decision, response) => {
  expect(decisionAnswer('r', decision)).toStrictEqual(success(response))
})

test('a hook is answered with nothing or with "ask", never with an error', () => {
  expect(hookAnswer('r', 'none')).toEqual(success({}))
  expect(hookAnswer('r', 'ask')).toEqual(
    success({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: expect.any(String),
      },
    }),
  )
})

test('a note reaches the model by the hook after the call, of a call that failed too', () => {
  const returned = { type: 'tool.returned', requestId: 'r', toolUseId: 't' } as const
  const noted = (hookEventName: string) =>
    success({
      hookSpecificOutput: {
        hookEventName,
        additionalContext: 'The answerer who allowed this call left a note for you: well done',
      },
    })
  expect(afterCallAnswer(returned, undefined)).toEqual(success({}))
  expect(afterCallAnswer(returned, 'well done')).toEqual(noted('PostToolUse'))
  expect(afterCallAnswer({ ...returned, failed: true }, 'well done')).toEqual(noted('PostToolUseFailure'))
})

test('requests, commands and errors carry their ids', () => {
  expect(controlRequest('r', { subtype: 'set_model', model: 'm' })).toEqual({
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'set_model', model: 'm' },
  })
  expect(userMessage({ promptId: 'p', content: '/clear', command: 'clear' })).toEqual({
    type: 'user',
    uuid: 'p',
    parent_tool_use_id: null,
    message: { role: 'user', content: '/clear' },
  })
  expect(errorAnswer('r', 'why')).toMatchObject({
    response: { subtype: 'error', request_id: 'r', error: 'why' },
  })
})
