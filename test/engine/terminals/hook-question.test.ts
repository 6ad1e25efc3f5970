import { describe, expect, test } from 'vitest'
import {
  configFolderOf,
  openedBy,
  readHookInput,
  relayedAsk,
  replyOf,
} from '../../../src/engine/terminals/hook-question.ts'
import { asSessionId } from '../../rig/tools/ids.ts'

const INPUT = {
  hook_event_name: 'PermissionRequest',
  session_id: '00000000-0000-4000-8000-000000000001',
  transcript_path: '/home/ann/.claude/projects/-code/session.jsonl',
  cwd: '/code',
  tool_name: 'Bash',
  tool_input: { command: 'make' },
}
const read = (change: object) => readHookInput({ ...INPUT, ...change })
const input = (change: object = {}) => {
  const found = read(change)
  if (!found) throw new Error('It is no question.')
  return found
}

const sent = (pid: string | undefined, ask: string | undefined, body = '{}') =>
  relayedAsk({ 'x-plexus-cli-pid': pid, 'x-plexus-ask': ask }, body)

describe('what the relay sends', () => {
  test('is the input of the hook, the process of the CLI and the id of the question', () => {
    expect(sent('12', 'a.B_c:1-2', '{"a":1}')).toEqual({
      hookInput: { a: 1 },
      cliPid: 12,
      askId: 'a.B_c:1-2',
    })
    expect(sent('1', 'x'.repeat(100))).toBeDefined()
  })

  test.each<[string, string | undefined, string | undefined, string?]>([
    ['without a process', undefined, 'a'],
    ['with a process that is none', '0', 'a'],
    ['with part of a process', '1.5', 'a'],
    ['with a word for it', 'pid', 'a'],
    ['without an id', '12', undefined],
    ['with an empty id', '12', ''],
    ['with a space before the id', '12', ' a'],
    ['with a line after the id', '12', 'a\nb'],
    ['with an id that is too long', '12', 'x'.repeat(101)],
    ['with half of an input', '12', 'a', '{'],
  ])('is nothing %s', (_, pid, ask, body) => expect(sent(pid, ask, body)).toBeUndefined())
})

const long = (count: number) => 'x'.repeat(count)

describe('the input of a hook is a question', () => {
  test('with all that is asked, whatever newer versions add', () => {
    expect(read({ tomorrow: true })).toEqual(INPUT)
    const suggestions = [{ type: 'addRules' }]
    expect(read({ agent_id: 'agent', permission_suggestions: suggestions })).toMatchObject({
      agent_id: 'agent',
      permission_suggestions: suggestions,
    })
  })

  test('of at most so many characters', () => {
    for (const [most, over] of [
      [{ transcript_path: `/${long(4_095)}` }, { transcript_path: `/${long(4_096)}` }],
      [{ cwd: long(4_096) }, { cwd: long(4_097) }],
      [{ tool_name: long(500) }, { tool_name: long(501) }],
      [{ agent_id: long(200) }, { agent_id: long(201) }],
    ] as const) {
      expect(read(most)).toMatchObject(most)
      expect(read(over)).toBeUndefined()
    }
  })

  test('and none where a part is missing or is something else', () => {
    for (const change of [
      { hook_event_name: 'PreToolUse' },
      { session_id: 'web' },
      { transcript_path: 'projects/session.jsonl' },
      { cwd: undefined },
      { tool_name: '' },
      { tool_input: 'make' },
      { agent_id: 7 },
    ])
      expect(read(change)).toBeUndefined()
    expect(readHookInput(undefined)).toBeUndefined()
  })

  test('without suggestions that are none, or too many', () => {
    for (const permission_suggestions of ['all', Array(101).fill(0)])
      expect(read({ permission_suggestions })).toEqual({ ...INPUT, permission_suggestions: undefined })
    expect(input({ permission_suggestions: Array(100).fill(0) }).permission_suggestions).toHaveLength(100)
  })
})

test('the folder of the files of the CLI is known by its transcript', () => {
  expect(configFolderOf(input())).toBe('/home/ann/.claude')
})

test('a question of a terminal has the same id when the relay asks again, and another in another session', () => {
  const [session, other] = [asSessionId('s1'), asSessionId('s2')]
  const opened = openedBy(session, 'ask', input())
  expect(opened).toEqual({
    type: 'approval.opened',
    approvalId: expect.any(String) as string,
    requestId: 'ask',
    kind: 'tool',
    carrier: 'terminal',
    toolName: 'Bash',
    input: { command: 'make' },
    cwd: '/code',
  })
  expect(openedBy(session, 'ask', input())).toEqual(opened)
  expect(openedBy(other, 'ask', input()).approvalId).not.toBe(opened.approvalId)
  expect(openedBy(session, 'another', input()).approvalId).not.toBe(opened.approvalId)
  const more = input({ tool_name: 'ExitPlanMode', agent_id: 'agent', permission_suggestions: [1] })
  expect(openedBy(session, 'ask', more)).toMatchObject({ kind: 'plan', agentId: 'agent', suggestions: [1] })
})

const decided = (decision: object) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
})

const printed = (decision: Parameters<typeof replyOf>[0]) => replyOf(decision)

describe('the hook prints', () => {
  test('an allow always with its input, and with the rules that were chosen', () => {
    const allow = { behavior: 'allow', updatedInput: { command: 'make' } } as const
    expect(printed(allow)).toStrictEqual(decided(allow))
    const rules = { ...allow, updatedPermissions: [{ type: 'addRules' }] }
    expect(printed(rules)).toStrictEqual(decided(rules))
  })

  test('a denial with its reason, and whether the turn ends', () => {
    const deny = { behavior: 'deny', message: 'No.' } as const
    expect(printed(deny)).toStrictEqual(decided(deny))
    expect(printed({ ...deny, interrupt: true })).toStrictEqual(decided({ ...deny, interrupt: true }))
  })

  test('nothing for what no terminal asks', () => {
    expect(printed({ behavior: 'form', action: 'decline' })).toEqual({})
    expect(printed({ behavior: 'budget', resource: 'usd', action: 'stop' })).toEqual({})
  })
})
