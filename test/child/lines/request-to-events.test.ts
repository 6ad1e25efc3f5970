import { describe, expect, test } from 'vitest'
import { approvalIdOf, sha256Of } from '../../../src/base/ids.ts'
import { AFTER_CALL } from '../../../src/child/lines/after-call-hook.ts'
import {
  askedOrDecided,
  kindOf,
  type LineContext,
  requestEvents,
} from '../../../src/child/lines/request-to-events.ts'
import { HOOK_ASKS } from '../../../src/child/lines/stdin-messages.ts'
import type { ToolCall } from '../../../src/child/policy/hook-opinion.ts'
import type { EventOf } from '../../../src/events/session-event.ts'
import { asGrantId } from '../../rig/tools/ids.ts'

const quiet: LineContext = { sessionId: 's1', opinion: () => ({ opinion: 'none' }) }
const events = (request: { subtype: string } & Record<string, unknown>, context: Partial<LineContext> = {}) =>
  requestEvents({ type: 'control_request', request_id: 'r1', request }, { ...quiet, ...context })
const asked = (more: object = {}) => ({
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  ...more,
})
const APPROVAL = { type: 'approval.opened', approvalId: approvalIdOf('s1', 'r1'), requestId: 'r1' }

describe('a question', () => {
  test('has an id of its session and its request, and what was asked', () => {
    expect(events(asked())).toEqual([
      { ...APPROVAL, kind: 'tool', toolName: 'Bash', input: { command: 'ls' } },
    ])
    expect(approvalIdOf('s2', 'r1')).not.toBe(APPROVAL.approvalId)
  })

  test('has no reason where only our own hook gave one', () => {
    const [event] = events(asked({ decision_reason: HOOK_ASKS }))
    expect(event).toMatchObject({ type: 'approval.opened' })
    expect(event).not.toHaveProperty('reason')
  })

  test('has all that came with it', () => {
    const more = {
      tool_use_id: 't1',
      agent_id: 'agent',
      permission_suggestions: [{ type: 'setMode' }],
      decision_reason: 'why',
      blocked_path: '/a',
    }
    expect(events(asked(more))).toMatchObject([
      {
        toolUseId: 't1',
        agentId: 'agent',
        suggestions: [{ type: 'setMode' }],
        reason: 'why',
        blockedPath: '/a',
      },
    ])
  })

  test.each([
    ['ExitPlanMode', 'plan'],
    ['AskUserQuestion', 'question'],
    ['Bash', 'tool'],
    ['mcp__ExitPlanMode', 'tool'],
  ])('about %s is of the kind %s', (toolName, kind) => {
    expect(kindOf(toolName)).toBe(kind)
    expect(events(asked({ tool_name: toolName }))).toMatchObject([{ kind, toolName }])
  })

  test('of an MCP server is a form', () => {
    const request = {
      subtype: 'elicitation',
      mcp_server_name: 'files',
      message: 'Which?',
      requested_schema: {},
    }
    expect(events(request)).toEqual([
      { ...APPROVAL, kind: 'form', toolName: 'files', input: { message: 'Which?', schema: {} } },
    ])
    expect(events({ ...request, mode: 'url', url: 'http://127.0.0.1/' })).toMatchObject([
      { input: { message: 'Which?', mode: 'url', url: 'http://127.0.0.1/', schema: {} } },
    ])
  })

  test.each([
    ['without a tool', asked({ tool_name: undefined })],
    ['without an input', asked({ input: undefined })],
    ['without a server', { subtype: 'elicitation' }],
    ['of a kind that is new', { subtype: 'new' }],
  ])('%s is not understood, which gets an error for an answer', (_, request) => {
    expect(events(request)).toEqual([{ type: 'request.unknown', requestId: 'r1', subtype: request.subtype }])
  })
})

const verdict = { effect: 'allow', drawer: 'granted', ruleId: 'g1', text: 'allow it' } as const
const granted = () => ({ grantId: asGrantId('g1'), by: 'ann', verdict })

describe('a question that was answered in advance', () => {
  test('is allowed as it was asked, by whoever remembered it', () => {
    expect(events(asked(), { decided: granted })).toEqual([
      expect.objectContaining(APPROVAL),
      {
        type: 'approval.settled',
        approvalId: APPROVAL.approvalId,
        status: 'allowed',
        decision: { behavior: 'allow', updatedInput: { command: 'ls' } },
        by: 'ann',
        grantId: 'g1',
        via: 'rule',
        rule: 'allow it',
        verdict,
      },
    ])
  })

  test('is looked up by what is asked', () => {
    const calls: ToolCall[] = []
    const note = (call: ToolCall) => {
      calls.push(call)
      return undefined
    }
    expect(events(asked({ tool_use_id: 't1' }), { decided: note })).toHaveLength(1)
    expect(events({ subtype: 'new' }, { decided: note })).toHaveLength(1)
    expect(calls).toMatchObject([{ toolName: 'Bash', input: { command: 'ls' }, toolUseId: 't1' }])
  })

  test.each(['plan', 'question', 'form'] as const)('is none where it is a %s', (kind) => {
    const opened = { ...APPROVAL, kind, toolName: 'x', input: {} } as EventOf<'approval.opened'>
    expect(askedOrDecided(opened, granted())).toEqual([opened])
    expect(askedOrDecided({ ...opened, kind: 'tool' }, undefined)).toHaveLength(1)
  })

  test('is none where nothing was asked', () => {
    expect(events({ subtype: 'new' }, { decided: granted })).toMatchObject([{ type: 'request.unknown' }])
  })
})

const hook = (input: unknown, more: object = {}) => ({ subtype: 'hook_callback', input, ...more })

const askByRule = () => ({ opinion: 'ask' as const, rule: 'Bash(ls)' })

describe('the hook before a call', () => {
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' }

  test('notes the opinion and in which folder and by which agent the call is made', () => {
    const calls: ToolCall[] = []
    const opinion = (one: ToolCall) => {
      calls.push(one)
      return { opinion: 'deny' as const }
    }
    const more = { cwd: '/project', permission_mode: 'plan', agent_id: 'agent' }
    expect(events(hook({ ...call, ...more }), { opinion })).toEqual([
      {
        type: 'tool.seen',
        requestId: 'r1',
        toolUseId: 't1',
        toolName: 'Bash',
        opinion: 'deny',
        input: { command: 'ls' },
        agentId: 'agent',
        cwd: '/project',
      },
    ])
    expect(calls).toEqual([
      { toolName: 'Bash', input: { command: 'ls' }, toolUseId: 't1', cwd: '/project', mode: 'plan' },
    ])
  })

  test('notes the rule that answers the question, for this very input', () => {
    expect(events(hook(call), { opinion: askByRule })).toMatchObject([
      { opinion: 'ask', answer: { rule: 'Bash(ls)', inputSha256: sha256Of({ command: 'ls' }) } },
    ])
    expect(events(hook(call))[0]).not.toHaveProperty('answer')
  })

  test('takes the id of the call from beside it, and asks where there is none', () => {
    const without = { ...call, tool_use_id: undefined }
    expect(events(hook(without, { tool_use_id: 't2' }))).toMatchObject([{ toolUseId: 't2', opinion: 'none' }])
    expect(events(hook(call, { tool_use_id: 't2' }))).toMatchObject([{ toolUseId: 't1' }])
    expect(events(hook(without))).toMatchObject([{ toolUseId: '', toolName: 'Bash', opinion: 'ask' }])
  })

  test.each([undefined, {}, { tool_name: 7 }])('asks where %j is all that can be read', (input) => {
    expect(events(hook(input))).toEqual([
      { type: 'tool.seen', requestId: 'r1', toolUseId: '', toolName: '', opinion: 'ask' },
    ])
  })
})

const after = (callback_id: string, more: object = {}) => ({
  subtype: 'hook_callback',
  callback_id,
  ...more,
})

describe('the hook after a call', () => {
  test('says which call it was, and whether it failed', () => {
    const input = { tool_use_id: 't1' }
    expect(events(after(AFTER_CALL.ran, { input }))).toEqual([
      { type: 'tool.returned', requestId: 'r1', toolUseId: 't1' },
    ])
    expect(events(after(AFTER_CALL.failed, { input }))).toEqual([
      { type: 'tool.returned', requestId: 'r1', toolUseId: 't1', failed: true },
    ])
    expect(events(after(AFTER_CALL.ran, { input: {}, tool_use_id: 't2' }))).toMatchObject([
      { toolUseId: 't2' },
    ])
    expect(events(after(AFTER_CALL.ran))).toMatchObject([{ toolUseId: '' }])
  })
})
