import { expect, test } from 'vitest'
import { ChildAsks, Level } from '../../src/events/approval-fields.ts'
import { Decision } from '../../src/events/decision.ts'
import { Command, type EventOf, SessionEvent } from '../../src/events/session-event.ts'
import { asApprovalId, asGrantId, asRunId } from '../rig/tools/ids.ts'

type Samples = { readonly [T in SessionEvent['type']]: Omit<EventOf<T>, 'type'> }

const message = { messageId: 'm', uuid: 'u', text: 't', contextTokens: 1, parent: 'p' }
const error = { code: 'cli_failed', message: 'gone' }

/** An event of every type with every field. */
const SAMPLES: Samples = {
  'run.started': { runId: asRunId('r'), rules: ['Read'], notes: true },
  'run.outdated': { runId: asRunId('r'), protection: 1, needed: 2 },
  'run.ended': { runId: asRunId('r'), stopped: true, error },
  'prompt.accepted': { promptId: 'p', content: [{ type: 'text' }], command: 'clear', wakesFor: 'q' },
  'prompt.echoed': { promptId: 'p' },
  'prompt.withdrawn': { promptId: 'p' },
  'turn.started': {
    cliSessionId: 's',
    cliVersion: '2',
    model: 'm',
    permissionMode: 'plan',
    workingDirectory: '/a',
  },
  'turn.ended': { outcome: 'failed', result: 'r', structuredOutput: {}, error, turns: 1, durationMs: 2 },
  'cost.reported': {
    total: 1,
    inputTokens: 2,
    outputTokens: 3,
    tokens: 5,
    contextWindows: { m: 4 },
    models: { m: { usd: 1, tokens: 2 } },
  },
  'budget.set': { budget: { usd: 1, tokens: 2, toolCalls: 3, seconds: 4 }, by: 'operator' },
  'budget.low': { resource: 'usd', spent: 4, limit: 5 },
  'budget.used_up': { of: 's', resource: 'tokens', spent: 4, limit: 5, message: 'm' },
  'message.ended': { outputTokens: 7, parent: 'p' },
  'text.streamed': { text: 't' },
  text: message,
  thinking: message,
  'tool.used': {
    toolUseId: 't',
    toolName: 'Bash',
    input: {},
    messageId: 'm',
    uuid: 'u',
    contextTokens: 1,
    parent: 'p',
  },
  'tool.finished': { toolUseId: 't', isError: true, content: 'c', parent: 'p' },
  'tool.seen': {
    requestId: 'r',
    toolUseId: 't',
    toolName: 'Bash',
    opinion: 'ask',
    agentId: 'a',
    cwd: '/a',
    answer: { rule: 'Bash(ls)', inputSha256: 'ab' },
  },
  'tool.returned': { requestId: 'r', toolUseId: 't', failed: true },
  'tool.unasked': { toolUseId: 't', toolName: 'Bash', cause: 'not seen' },
  'tool.refused': { toolUseId: 't', toolName: 'Bash', message: 'no' },
  'approval.opened': {
    approvalId: asApprovalId('a'),
    kind: 'tool',
    requestId: 'r',
    toolName: 'Bash',
    input: { command: 'ls' },
    toolUseId: 't',
    agentId: 'a',
    suggestions: [{}],
    reason: 'why',
    blockedPath: '/a',
    cwd: '/a',
    carrier: 'mcp',
    verdict: { effect: 'ask', drawer: 'rules', answerers: [['person']], timeoutMs: 5 },
    supersedes: asApprovalId('b'),
    askedAt: 5,
    held: true,
    flood: true,
  },
  'approval.settled': {
    approvalId: asApprovalId('a'),
    status: 'allowed',
    decision: { behavior: 'allow', updatedInput: {} },
    by: 'ann',
    level: 0,
    via: 'tool',
    remembered: {
      id: asGrantId('g'),
      rule: {},
      scope: 'turn',
      rules: [{ id: 'g', effect: 'allow', turn: 1 }],
      endsAt: 5,
    },
    grantId: asGrantId('g'),
    rule: 'Bash(ls)',
    caller: { kind: 'device', id: 'd', person: true, proof: 'device token', client: 'c' },
    shownAt: 4,
    verdict: { effect: 'allow', drawer: 'granted', ruleId: 'g' },
    carrier: 'terminal',
    flood: 'deny',
    repeatsUntil: 9,
    repeats: asApprovalId('b'),
  },
  'grant.expired': { grantId: asGrantId('g') },
  'grant.revoked': { grantId: asGrantId('g'), by: 'ann' },
  'grant.narrowed': { grantId: asGrantId('g'), rules: ['Bash'], rule: {} },
  'approval.escalated': { approvalId: asApprovalId('a'), by: 's', to: 'owner', note: 'n' },
  'approval.extended': { approvalId: asApprovalId('a'), by: 'ann', until: 9 },
  'request.cancelled': { requestId: 'r' },
  'request.unknown': { requestId: 'r', subtype: 'new' },
  'mode.changed': { mode: 'plan' },
  'model.chosen': { model: 'm' },
  'api.retried': { attempt: 1, maxRetries: 2, delayMs: 3, status: 529, error: 'overloaded' },
  'context.compacted': { trigger: 'auto', before: 2, after: 1 },
  'task.started': { taskId: 't', kind: 'local_agent', toolUseId: 'u', description: 'd' },
  'task.ended': { taskId: 't', status: 'completed' },
  'below.seen': { news: 'n' },
  'session.stopped': {},
  'session.handed_over': { to: 'terminal', pid: 7, startedAt: '12', found: true, own: true },
  'terminal.hook_found': { approvalId: asApprovalId('a') },
  'terminal.changed': { status: 'waiting', waitingFor: 'permission prompt' },
  'session.returned': { exitCode: 1, signal: 'SIGINT', cliSessionId: 'c', gone: true },
  'nesting.ended': { reason: 'r' },
  'conversation.cleared': {},
  'line.unknown': { line: {} },
  'line.unparsed': { text: '{', bytes: 1 },
}

test.each(Object.entries(SAMPLES))(
  'an event %s is read with every field that it was written with',
  (type, fields) => {
    const event = { type, ...fields }
    expect(SessionEvent.parse(event)).toEqual(event)
  },
)

const decisions: Decision[] = [
  { behavior: 'allow', updatedInput: { a: 1 }, updatedPermissions: [{}], message: 'note' },
  { behavior: 'deny', message: 'no', interrupt: true },
  ...(['accept', 'decline', 'cancel'] as const).map((action) => ({
    behavior: 'form' as const,
    action,
    content: {},
  })),
  ...(['raise', 'continue', 'stop'] as const).map((action) => ({
    behavior: 'budget' as const,
    action,
    resource: 'usd' as const,
    limit: 5,
  })),
]

test.each(decisions)('a decision %j is read as it was made', (decision) => {
  expect(Decision.parse(decision)).toEqual(decision)
})

test.each([
  { behavior: 'allow' },
  { behavior: 'deny' },
  { behavior: 'form', action: 'later' },
  { behavior: 'budget', action: 'later', resource: 'usd' },
  { behavior: 'later', message: 'no' },
])('%j is no decision: an allow has the input that runs, a deny its reason', (decision) => {
  expect(Decision.safeParse(decision).success).toBe(false)
})

test('a level is a session above, the owner or a person', () => {
  const levels = [0, 3, 'owner', 'person', -1, 0.5, 'child', '0']
  expect(levels.filter((level) => Level.safeParse(level).success)).toEqual([0, 3, 'owner', 'person'])
})

test('a child asks about everything but a budget', () => {
  const kinds = ['tool', 'plan', 'question', 'form', 'budget']
  expect(kinds.filter((kind) => ChildAsks.safeParse(kind).success)).toEqual(kinds.slice(0, 4))
})

test('a command is one of two, and the refusal names them', () => {
  expect(['compact', 'clear'].map((name) => Command.parse(name))).toEqual(['compact', 'clear'])
  expect(Command.safeParse('exit').error?.issues[0]?.message).toBe('command must be compact or clear.')
})

test.each<object>([
  { type: 'new' },
  { type: 'tool.returned', ...SAMPLES['tool.returned'], failed: false },
  { type: 'tool.unasked', ...SAMPLES['tool.unasked'], cause: 'other' },
  { type: 'approval.opened', ...SAMPLES['approval.opened'], carrier: 'smoke' },
  { type: 'approval.settled', ...SAMPLES['approval.settled'], status: 'pending' },
  { type: 'approval.settled', ...SAMPLES['approval.settled'], caller: { kind: 'stranger' } },
  { type: 'approval.settled', ...SAMPLES['approval.settled'], remembered: { id: 'g', rules: [null] } },
  { type: 'approval.settled', ...SAMPLES['approval.settled'], remembered: { id: 'g', rules: ['Bash'] } },
  { type: 'prompt.accepted', promptId: 'p', content: 7 },
])('%j is no event', (event) => {
  expect(SessionEvent.safeParse(event).success).toBe(false)
})
