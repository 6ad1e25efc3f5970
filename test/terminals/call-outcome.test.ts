import { execFileSync } from 'node:child_process'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { array, assert, json, oneof, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { callOutcomeIn, CallReader } from '../../src/terminals/call-outcome.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

const ASKED = Date.parse('2026-01-02T03:04:05Z')
const at = (ms: number) => ({ timestamp: new Date(ASKED + ms).toISOString() })
const call = (id: string, input: unknown, name = 'Bash') => ({
  type: 'assistant',
  ...at(-10),
  message: {
    content: [
      { type: 'text', text: 'I will.' },
      { type: 'tool_use', id, name, input },
    ],
  },
})
const result = (id: string, ms: number, more: object = {}) => ({
  type: 'user',
  ...at(ms),
  message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'made' }] },
  ...more,
})
/** 2.1.325 notes what it sends to the model, without a time. */
const sent = (id: string) => ({
  type: 'api-request-blob',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'no' }] },
})
const hook = (toolUseID: string, ms: number) => ({
  type: 'attachment',
  ...at(ms),
  attachment: {
    type: 'hook_permission_decision',
    decision: 'allow',
    toolUseID,
    hookEvent: 'PermissionRequest',
  },
})
const MKDIR = { toolName: 'Bash', input: { command: 'mkdir x', description: 'make' }, askedAt: ASKED }
const lines = (...content: readonly object[]) => content.map((line) => JSON.stringify(line))
const made = call('a', { description: 'make', command: 'mkdir x' })

test.each([
  ['is not there yet', lines(), 'open'],
  ['is there, without a result', lines(made), 'open'],
  ['has a result', lines(made, result('a', 5)), 'over'],
  ['has the result of another call', lines(made, result('b', 5)), 'open'],
  ['has the result of an equal call before it', lines(made, result('a', -5)), 'open'],
  [
    'equals an earlier one whose result was sent to the model',
    lines(made, sent('a'), result('a', -5)),
    'open',
  ],
  ['is like another with another input', lines(call('a', { command: 'mkdir y' }), result('a', 5)), 'open'],
  ['was decided by a hook', lines(made, hook('a', 5)), 'decided by a hook'],
  ['was decided by a hook and has a result', lines(made, hook('a', 5), result('a', 6)), 'decided by a hook'],
  ['is beside one that a hook decided', lines(made, hook('b', 5), result('a', 6)), 'over'],
  [
    'has a result that names a hook',
    lines(made, result('a', 5, { permissionDecision: { decision: 'accept', source: 'hook' } })),
    'decided by a hook',
  ],
  [
    'has a result that names the user',
    lines(made, result('a', 5, { permissionDecision: { decision: 'accept', source: 'user_temporary' } })),
    'over',
  ],
])('a call that %s', (_, content, outcome) => {
  expect(callOutcomeIn(content, MKDIR)).toBe(outcome)
})

test('a plan is found without its text, which the call does not have', () => {
  const asked = { toolName: 'ExitPlanMode', input: { plan: '# Plan' }, askedAt: ASKED }
  expect(callOutcomeIn(lines(call('p', {}, 'ExitPlanMode'), result('p', 5)), asked)).toBe('over')
})

test('lines of any kind are no outcome, and never an error', () => {
  assert(
    property(array(oneof(string(), json())), (content) => {
      expect(
        callOutcomeIn(
          content.map((line) => `${line}tool_`),
          MKDIR,
        ),
      ).toBe('open')
      expect(callOutcomeIn(content, MKDIR)).toBe('open')
    }),
  )
})

test('the end of a transcript is read as it grows, however large it is', async () => {
  const path = join(await temporaryFolder(), 'transcript.jsonl')
  const reader = new CallReader(path, MKDIR)
  expect(await reader.read()).toBe('open')
  await writeFile(path, `${'x'.repeat(3_000_000)}\n${lines(made).join('\n')}\n`)
  expect(await reader.read()).toBe('open')
  await appendFile(path, `${lines(result('a', 5)).join('\n')}\n`)
  expect(await reader.read()).toBe('over')
})

test('a path that is no file says nothing and holds nothing up', async () => {
  const folder = await temporaryFolder()
  execFileSync('mkfifo', [join(folder, 'pipe')])
  for (const path of [folder, join(folder, 'pipe'), '/dev/zero', join(folder, 'nothing')])
    expect(await new CallReader(path, MKDIR).read()).toBe('open')
})
