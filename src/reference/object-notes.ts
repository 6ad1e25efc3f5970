import type { ErrorCode } from '../base/errors.ts'
import type { PendingQuestion } from '../engine/engine.ts'
import type { StoredEvent } from '../events/event-log.ts'
import type { SessionNow } from '../engine/sessions/session-now.ts'

type Notes<T> = Readonly<Record<keyof T, string>>

const SESSION: Notes<SessionNow> = {
  id: 'A UUID; Claude Code has the same id for the conversation when it begins.',
  name: 'Unique, if it has one.',
  title: 'The first words of its first prompt, once it has one.',
  parentId: 'The session that started it, if one did.',
  owner: 'The caller that the whole tree of sessions belongs to.',
  workingDirectory: 'The real path of its folder.',
  config: 'The start options.',
  origin: 'Where the conversation comes from: `kind` is `new`, `resume` or `fork`.',
  notLoaded:
    'Settings and instructions in its folders that are not loaded, because the folders are not trusted.',
  timeoutMs: 'How long a question waits before it is denied; 0 means no limit.',
  answerers: 'Who may answer: `anyone`, or only a `person`.',
  ask: 'Whom its questions are put to, if it has its own setting.',
  cliSessionId: 'The id that Claude Code has for the conversation now.',
  createdAt: 'Milliseconds since 1970.',
  status: '`idle` (no turn yet), `running`, `waiting` (for an answer), `done`, `failed` or `interrupted`.',
  turn: 'The number of the current or last turn; 0 before the first.',
  questions: 'How many questions it has asked; absent before the first.',
  lastSeq: 'The seq of the last event.',
  error: '`code` and `message`, if the last turn failed.',
  model: 'The model in use, once known.',
  permissionMode: 'The current permission mode, once known.',
  costUsd: 'The cost so far.',
  spent:
    'What it has spent besides: `tokens` (and `turnTokens` of the running turn), `toolCalls`, `workMs` at work, and `since` when it is at work now.',
  budget: 'The budget that was set after the start, for it and all sessions below it; null if there is none.',
  budgetQuestions: 'How many questions about its budget are open; they do not stop its work.',
  mustStop: 'It was answered that it and all sessions below it stop, and that has not happened yet.',
  outdated: 'Its process was started by an earlier version of Plexus, with less protection.',
  knows: 'Notices about sessions below it that it has been given.',
  stopped: 'Somebody stopped it, and it has had no prompt since.',
  endedOutside: 'With `stopped`: no caller stopped it, its process outside Plexus has ended by itself.',
  outside:
    'The process outside Plexus that has the conversation now: `to` is `command` (plexus run) or `terminal`, with its `pid`. Nothing can be said to the session until it ends.',
  terminal:
    'True for a conversation that a person has in a terminal, or had: the hub found it there, and nobody has continued it here.',
  contextTokens: 'How much of its context is used.',
  contextWindow: 'The size of its context.',
  showsHeld: 'A person looks at the questions that are held back, one after the other.',
  headNode: 'The node from which the next turn continues.',
  updatedAt: 'Milliseconds since 1970.',
  checkpoint: 'Internal.',
  pid: 'Of its Claude Code process; absent while it has none.',
}

const QUESTION: Notes<PendingQuestion> = {
  id: 'The approval id.',
  shortId:
    '`NAME.N`, in place of the id: the name of the session (or the first 8 characters of its id), and the number.',
  sessionId: 'The asking session.',
  number: 'Counts the questions of the session from 1.',
  turn: 'The turn in which it was asked.',
  kind: '`tool`, `plan`, `question` or `form`.',
  toolName: 'The tool that would run.',
  input: 'What would run.',
  inputSha256: 'The hash of `input` as JSON.',
  requestId: 'The id of the request of the child.',
  toolUseId: 'The id of the tool use.',
  agentId: 'The sub-agent that asks, if one does.',
  cwd: 'The folder in which it would run.',
  carrier: 'How the question reached Plexus: `control`, `mcp` or `terminal`.',
  suggestions: 'What Claude Code suggests to remember.',
  reason: 'Why Claude Code asks, if it says so.',
  blockedPath: 'The path outside its folders that it would use.',
  openedAt: 'Milliseconds since 1970.',
  timeoutMs: 'How long it waits, in ms, if a rule says so; 0 is for ever.',
  held: 'A person is not shown it yet, because very many came before it.',
  flood:
    'It stands for all questions of the session that are held back; the answers are `show` and `deny them all`.',
  supersedes: 'The withdrawn question that asked the same: the answer goes to this one.',
  extendedUntil: 'While it waits: until when an answerer has given it more time.',
  escalations: 'Who escalated it, to whom, when, and with which note.',
  status: '`pending`, `allowed`, `denied`, `expired` or `withdrawn`.',
  decision: 'The decision, if there is one.',
  by: 'The caller who settled it, or the rule or grant.',
  level: 'Where the answer came from: 0 is the parent session, then 1 and so on; `owner`; `person`.',
  via: 'The way: `form`, `tool`, `rpc`, `command_line`, `page`, `terminal`, `rule` or `expiry`.',
  settledAt: 'Milliseconds since 1970.',
  end: 'How it ended, where the status does not say it: `dismissed`, `repeated`, `with others`, `too many`, or of a terminal `answered in the terminal`, `left to the terminal`, `decided by a hook`.',
  repeats: 'The question that was denied without a reason shortly before: this call repeats it.',
  supersededBy: 'If withdrawn: the question that asked the same again.',
  verdict:
    'The rule that decided it, or that has it asked about: `effect`, `drawer`, `ruleId`, `text`, `because` and the `digest` of its file.',
  delivery: 'Whether the decision has reached the child: `none`, `sent` or `acknowledged`.',
  questions: 'The questions in words, each with its `options`.',
  remembers:
    'What `remember: "session"` would remember: `call`, `folder`, `rules` and `texts`; and in `scopes` for each `remember` the texts of the rules as they would be stored. Absent if it cannot be remembered.',
  suggestedRules: 'The rules that `remember: "suggested"` would add.',
  expiresAt: 'When it is denied without an answer; absent if it never is.',
}

const EVENT: Notes<StoredEvent> = {
  seq: 'Counts from 1 in each session, without gaps.',
  turn: 'The number of the turn.',
  at: 'Milliseconds since 1970; the order is that of `seq`.',
  event:
    'An object with a `type` such as `text`, `tool.used`, `approval.opened` or `turn.ended`, and its fields.',
}

export const OBJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Session: SESSION,
  Question: QUESTION,
  Event: EVENT,
}

export const ERRORS: Readonly<Record<ErrorCode, string>> = {
  invalid_input: 'A field is missing, unknown or wrong; `field` names it.',
  not_found: 'There is no such session, question or node, or the caller may not read it.',
  forbidden: 'The caller may not do this.',
  already_settled: 'The question has an answer already; `approval` says which, and by whom.',
  changed: 'The question is not the one that was shown (`inputSha256`); nothing was decided.',
  would_deadlock: 'The caller would wait for a session that waits for the caller.',
  too_many_sessions: 'All process slots are in use; try again later.',
  over_budget: 'A budget of the session, or of one above it, is used up; `sessionId` names its session.',
  in_use: 'A name, a conversation or a port is in use.',
  cli_missing: 'Claude Code was not found.',
  cli_failed: 'Claude Code ended with an error.',
  storage_full: 'The disk is full; nothing was stored.',
  busy: 'The hub is starting or ending, or the system has reached a limit; try again.',
  internal: 'A bug; the log of the hub has the details.',
}
