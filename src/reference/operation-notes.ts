import type { ErrorCode } from '../base/errors.ts'

export interface OperationNote {
  /** A valid input. */
  readonly example: Readonly<Record<string, unknown>>
  /** Errors worth knowing, besides `invalid_input` and `not_found`. */
  readonly errors?: Partial<Record<ErrorCode, string>>
  /** In place of a table. */
  readonly returns?: string
}

const START: Partial<Record<ErrorCode, string>> = {
  too_many_sessions: 'all process slots (`MAX_SESSIONS`) are in use',
  forbidden: 'an option needs the scope `bypass`, or is more than the calling session may do itself',
}
const ANSWER: Partial<Record<ErrorCode, string>> = {
  already_settled: 'somebody else was first; the error says who and how',
  forbidden:
    'only a person may answer for this session, or a session may not allow what it may not do itself',
}
const OPEN: Partial<Record<ErrorCode, string>> = { in_use: 'the conversation is open in another process' }
const LIKE_STATUS =
  '`sessionId`, `status` and `hint`; with `waitSeconds` all fields of [claude_status](#claude_status) for one session.'
const QUESTION_ID = '6f1c1d34-7d5e-4a37-9d53-1f0f6a1b2c3d'

export const OPERATION_NOTES: Readonly<Record<string, OperationNote>> = {
  claude_start: {
    example: {
      prompt: 'Run: echo hello > greeting.txt',
      workingDirectory: '/path/to/project',
      waitSeconds: 25,
    },
    errors: START,
    returns: LIKE_STATUS,
  },
  claude_say: {
    example: { sessionId: 'greeter', message: 'Thanks. Say goodbye.' },
    errors: OPEN,
    returns: `${LIKE_STATUS} \`queued\` is true if a turn was running.`,
  },
  claude_status: { example: { sessionId: 'greeter', afterSeq: 12 } },
  claude_respond: { example: { sessionId: 'greeter', id: QUESTION_ID, answers: ['allow'] }, errors: ANSWER },
  claude_interrupt: { example: { sessionId: 'greeter' } },
  claude_list: { example: { limit: 10 } },
  'claudecode.create': {
    example: { name: 'my-agent', working_dir: '/path/to/project', loopback_enabled: true },
    errors: START,
  },
  'claudecode.chat': {
    example: { name: 'my-agent', prompt: 'What is in this folder?' },
    errors: { would_deadlock: 'the session asks before it acts, and the caller could not answer', ...OPEN },
  },
  'claudecode.chat_async': { example: { name: 'my-agent', prompt: 'Run: ls' }, errors: OPEN },
  'claudecode.poll': { example: { session_id: 'my-agent', wait_seconds: 25 } },
  'claudecode.streams': { example: { session_id: 'my-agent' } },
  'claudecode.fork': { example: { session_id: 'my-agent', new_name: 'my-agent-2' } },
  'claudecode.tree': { example: { name: 'my-agent' } },
  'claudecode.interrupt': { example: { name: 'my-agent' } },
  'claudecode.stop': { example: { name: 'my-agent' } },
  'loopback.respond': { example: { approval_id: QUESTION_ID, approve: true }, errors: ANSWER },
  'loopback.pending': { example: { session_id: 'my-agent' } },
  'loopback.decisions': { example: { session_id: 'my-agent', limit: 20 } },
  'loopback.wait': { example: { session_ids: ['my-agent'], wait_seconds: 25 } },
  'loopback.escalate': { example: { approval_id: QUESTION_ID, note: 'I am not sure about the path.' } },
  'loopback.configure': { example: { name: 'nightly' } },
}

/** The meaning of fields without a description in their schema, because models pay for descriptions. By their last name. */
export const FIELD_MEANINGS: Readonly<Record<string, string>> = {
  active: 'How many other sessions are at work.',
  activeStatus: 'Its status, if it is a session of this server.',
  approval_id: 'The id of the question.',
  approvals: 'The open questions.',
  args: 'Arguments for the command.',
  ask: 'Whom its questions are put to, if it has its own setting.',
  at: 'Seconds since 1970.',
  by: 'Who decided, or who did it.',
  call: 'The call that was remembered.',
  children: 'The ids of the nodes after it.',
  code: 'The code of the error.',
  command: 'A line for a shell.',
  costUsd: 'The cost so far.',
  cost_usd: 'The cost so far.',
  createdAt: 'When it was asked.',
  decision: '`allowed` or `denied`.',
  decisions: 'The decisions, newest question first.',
  descriptions: 'What each option means.',
  displayText: 'The title of the conversation.',
  env: 'Environment variables for the command.',
  error: 'Why it failed.',
  event: 'The event, with its `type`.',
  events: 'The events, in order.',
  expiresAt: 'When it is denied without an answer.',
  folder: 'The folder of the call.',
  fork_point: 'More than one node follows.',
  head: 'The position from which the session continues.',
  header: 'A short title.',
  hint: 'What to do next.',
  id: 'Its id.',
  inputSha256: 'The hash of the input, for `inputSha256` of an answer.',
  interrupted: 'The last turn was interrupted.',
  kind: 'What is asked for.',
  level: 'Where the answer came from: 0 is the session right above, then 1 and so on; owner; person.',
  mcpServers: 'The relay, with its token.',
  mcp_config: 'The content of a file for `--mcp-config`; it holds a token.',
  message: 'A sentence.',
  multiSelect: 'Several options may be chosen.',
  multi_select: 'Several options may be chosen.',
  name: 'The name of the session.',
  nextCursor: 'The `cursor` of the next page.',
  node_id: 'The id of a node.',
  nodes: 'The nodes, parents before their children.',
  notLoaded: 'Settings in its folders that are not loaded, because the folders are not trusted.',
  note: 'A note for the reader.',
  options: 'The valid answers.',
  outdated: 'A notice: its process has less protection than the current version gives.',
  pending_approvals: 'What it asks for now.',
  permissionMode: 'The current permission mode.',
  projectDirectory: 'Its folder.',
  question: 'The question as text.',
  questions: 'The questions, each with its options.',
  queued: 'A turn was running, and the message waits for it.',
  recentOutput: 'The last lines of its output.',
  remembered: 'What was remembered.',
  result: 'The final text.',
  rules: 'The rules that were remembered.',
  session_id: 'The id of the session.',
  session_name: 'The name of the session, or its id.',
  sessionId: 'The id of the session.',
  sessions: 'The sessions.',
  settledAt: 'When it was settled.',
  status: 'The state.',
  streams: 'The sessions, or the turns of one session.',
  structuredOutput: 'The result that fits the schema given at the start.',
  structured_output: 'The result that fits the schema given at the start.',
  timestamp: 'When it last changed.',
  toolName: 'The tool.',
  tool_name: 'The tool.',
  tool_use_id: 'The id of the tool use.',
  tree_id: 'The id of the tree.',
  turn: 'The number of the turn.',
  turnCount: 'How many turns it has had.',
  type: 'The kind of this object.',
  via: 'The way in which it was answered.',
  waits_for_person: 'Where a person can answer, if the question is put to one.',
}
