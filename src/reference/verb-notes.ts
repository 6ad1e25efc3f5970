import type { VerbName } from '../engine/verbs.ts'
import type { ErrorCode } from '../base/errors.ts'
import { DEVICE_NOTES } from './device-notes.ts'
import { LEARNING_NOTES } from './learning-notes.ts'
import { RECORD_NOTES } from './record-notes.ts'

/** What the page says of a verb besides its schema. */
export interface VerbNote {
  readonly does: string
  /** The meaning of every field of the input. */
  readonly fields: Readonly<Record<string, string>>
  readonly returns: string
  /** Errors worth knowing, besides `invalid_input` and `not_found`. */
  readonly errors?: Partial<Record<ErrorCode, string>>
  /** A valid input. */
  readonly example: Readonly<Record<string, unknown>>
}

const SESSION =
  'The name or id of the session; 4 or more characters of the id are enough if no other begins so.'
const APPROVAL =
  'The id of the question, or its short id `NAME.N`; with `sessionId` also the id of the tool use.'
const ASKING = 'The id or name of the asking session.'
const HASH = 'ee1bbf4d6d9dbf2fd7a0a2a1f2d1b8d3ad0dd3e0f9b5e0c56d5f1c1d4a3f9e21'
const LIMIT_EVENTS = 'The most events to return: 100 by default, at most 1000.'
const FULL: Partial<Record<ErrorCode, string>> = {
  too_many_sessions: 'all process slots (`MAX_SESSIONS`) are in use',
  storage_full: 'the disk is full',
  cli_missing: 'Claude Code is not installed',
}

const ANSWER_FIELDS: VerbNote['fields'] = {
  approvalId: APPROVAL,
  sessionId: ASKING,
  answers:
    'One for each question, from its options: `allow` or `deny`, `approve` or `reject`, `accept`, `decline` or `cancel`, or the choices.',
  approve: 'Instead of `answers`: true to allow, false to deny.',
  dismiss:
    'Instead of `answers`: closes a question or a form without an answer, which is neither a yes nor a no.',
  message: 'A reason or a note; the session reads it.',
  updatedInput: 'Run this instead of the input: all of its fields.',
  inputSha256: 'The hash of the input that you have checked: the answer is refused if the input is another.',
  content: 'With `accept`: the fields of the form.',
  permissionMode: 'With the approval of a plan: the mode to continue in.',
  remember:
    'Where this exact call needs no answer from now on: `turn` (until this turn ends), `session`, `tree` (the topmost session above it, and all below that), `folder` (sessions that work in its folder or below), `always` (everywhere). `suggested`: in this session, and neither do calls that match `suggestedRules`. `tree`, `folder` and `always` are for a person.',
  rememberSeconds: 'With `remember`: it ends after so many seconds, at most 30 days.',
  rememberRule: 'With `remember`: the id of a rule that the question offers, in place of the exact call.',
}

export const VERB_NOTES: Readonly<Record<VerbName, VerbNote>> = {
  ...DEVICE_NOTES,
  ...RECORD_NOTES,
  ...LEARNING_NOTES,
  createSession: {
    does: 'Creates a session. Its first turn begins only if `content` is given.',
    fields: {
      options: 'The start options, with the names that `options` of `claude_start` has.',
      timeoutMs:
        'How long a question waits before it is denied, in ms; 0 means no limit. By default no limit for a person, else 5 minutes.',
      answerers: 'Who may answer its questions: `anyone` (default), or only a `person`.',
      ask: 'Whom its questions are put to; by default the connection decides.',
      resume: 'The id of a conversation that Claude Code already has.',
      content: 'The first prompt: text, or blocks with images and documents.',
    },
    returns: 'The [Session](#session).',
    errors: {
      ...FULL,
      forbidden: 'an option needs the scope `bypass`, or is more than the calling session may do itself',
    },
    example: {
      options: { name: 'greeter', workingDirectory: '/path/to/project' },
      content: 'Write a greeting.',
    },
  },
  startTurn: {
    does: 'Sends a prompt or a command. It begins a turn; while another turn runs, it is queued. Give exactly one of `content` and `command`.',
    fields: {
      sessionId: SESSION,
      content:
        'The prompt: text, or blocks with images and documents. Nothing in it is a file mention or a command.',
      command: '`compact` sums up the conversation, `clear` begins a new one.',
    },
    returns:
      '`promptId`, `queued` (true if a turn was running), `process` (`warm`, or how a new process began), and a `hint` if the text looks like a command.',
    errors: { ...FULL, in_use: 'the conversation is open in another process' },
    example: { sessionId: 'greeter', content: 'Run: echo hello > greeting.txt' },
  },
  getSession: {
    does: 'Returns one session.',
    fields: { sessionId: SESSION },
    returns: 'The [Session](#session).',
    example: { sessionId: 'greeter' },
  },
  listSessions: {
    does: 'Lists the sessions that the caller may read, newest first.',
    fields: {
      status: 'Only sessions with one of these states.',
      limit: 'The most sessions to return: 50 by default, at most 500.',
      before: '`updatedAt` and `id` of the last session of the page before.',
    },
    returns: 'A list of [Session](#session).',
    example: { status: ['running', 'waiting'], limit: 10 },
  },
  listConversations: {
    does: 'Lists every conversation that can be resumed, newest first: sessions, and conversations that only Claude Code has (these need the scope `transcripts`).',
    fields: {
      workingDirectory: 'Only conversations of this folder.',
      limit: 'The most conversations to return: 50 by default, at most 500.',
      before: '`updatedAt` and `sessionId` of the last conversation of the page before.',
    },
    returns:
      'A list with `sessionId`, `workingDirectory`, `title`, `updatedAt`, `session` (if it is a session here) and `openIn` (the pid of another process that has it open).',
    example: { workingDirectory: '/path/to/project' },
  },
  listTurns: {
    does: 'Lists the turns of a session, oldest first.',
    fields: { sessionId: SESSION },
    returns:
      'A list with `number`, `promptId`, `firstSeq`, `lastSeq` and `outcome`; the last two are absent while the turn runs.',
    example: { sessionId: 'greeter' },
  },
  readEvents: {
    does: 'Reads the events after `after`, or after the last event that this reader has read.',
    fields: {
      sessionId: SESSION,
      after: 'The seq of the last event that you have; 0 for all.',
      reader: 'A name whose position is stored: each call continues after the one before.',
      limit: LIMIT_EVENTS,
    },
    returns: '`events`, a list of [Event](#event).',
    example: { sessionId: 'greeter', after: 0 },
  },
  readTurn: {
    does: 'Reads the events of one turn, counted from its beginning.',
    fields: {
      sessionId: SESSION,
      reader: 'A name whose position is stored.',
      turn: 'The number of the turn; the last turn by default.',
      from: 'The first event to return, counted from the beginning of the turn.',
      limit: `${LIMIT_EVENTS} 0 returns no events, only the state.`,
      skipTails: 'After a turn has ended, continue with the next turn and skip the events after its end.',
    },
    returns:
      '`session`, `turn`, `events`, `position` (where to continue), `total` (events of the turn so far) and `more`.',
    example: { sessionId: 'greeter', reader: 'dashboard' },
  },
  waitFor: {
    does: 'Waits until a session needs an answer, has ended, or has changed; at most 50 seconds. Without `sessionIds` it waits for any session of the caller.',
    fields: {
      sessionIds: 'The ids or names of sessions.',
      atWork:
        'Instead of `sessionIds`: the ids of sessions whose end also ends the wait, even if it has already come.',
      seen: 'Instead of `sessionIds`: the last seq that you know of each session, by its id; any difference ends the wait.',
      known: 'The ids of questions that you leave open: they do not end the wait.',
      seconds: 'How long to wait; at most 50.',
    },
    returns: 'A list of [Session](#session); empty if nothing happened.',
    example: { sessionIds: ['greeter'], seconds: 50 },
  },
  pending: {
    does: 'Lists open questions: of one session, or all that the caller is to answer. A person gets all that they may read.',
    fields: {
      sessionId: SESSION,
      below: 'With `sessionId`: the questions of sessions below it that the caller is to answer.',
    },
    returns: 'A list of [Question](#question).',
    example: {},
  },
  getApproval: {
    does: 'Returns one question, open or settled.',
    fields: { approvalId: APPROVAL, sessionId: ASKING },
    returns: 'The [Question](#question).',
    example: { approvalId: '6f1c1d34-7d5e-4a37-9d53-1f0f6a1b2c3d' },
  },
  listFolders: {
    does: 'Lists the folders of the machine of the hub whose paths begin as typed. Files are not listed; hidden folders only if the dot was typed.',
    fields: {
      path: 'The path as far as it is typed. It begins with `/`, or with `~/` for the home folder of the user of the hub.',
    },
    returns:
      '`folder` that was listed, and `leadsTo` if the path leads through a link; `folders`, at most 50, each with its `path` and, for a link, where it `leadsTo`; `hasMore`.',
    errors: { forbidden: 'a model calls, or a device that may not start sessions' },
    example: { path: '/home/me/pro' },
  },
  previewChange: {
    does: 'Returns what the call that a question asks for would do to a file as it is now. Of a settled question: what its input says, without the file. Null if it changes no file.',
    fields: {
      approvalId: APPROVAL,
      sessionId: ASKING,
      input:
        'In place of the requested input: what the call would do after an edit. Null if it names another file.',
    },
    returns:
      '`note` (`+2 -1`, `new file`, that the file was changed since it was asked), and `lines` of a diff that begin with a space, `-`, `+` or `@`; `isUnplaced` where no line of the file is known.',
    errors: { forbidden: 'a model calls: the file is shown to a person only' },
    example: { approvalId: 'greeter.1' },
  },
  decisions: {
    does: 'Lists settled questions of one session, or of all that the caller may read, newest first.',
    fields: {
      sessionId: SESSION,
      below: 'true, with `sessionId`: also those of all sessions below it.',
      limit: 'The most decisions to return: 20 by default, at most 500.',
      before: 'The id of a question: only earlier questions.',
    },
    returns: 'A list of [Question](#question) without `questions`, `suggestedRules` and `expiresAt`.',
    example: { sessionId: 'greeter', limit: 20 },
  },
  costs: {
    does: 'Sums of cost by day, by model and by session, of the sessions that the caller may read, or of one session and those below it.',
    fields: {
      sessionId: SESSION,
      days: 'How many days, up to today: 1 by default, at most 366. A day is one of the time zone of the hub.',
    },
    returns:
      '`zone` (the time zone of the hub), `days` (the latest first: `day`, `usd`, `tokens`), `models` (most first: `model`, `usd`, `tokens`), `sessions` (most first: `sessionId`, `name`, `usd` in these days) and, with `sessionId`, `session` (`usd` and `treeUsd` in all, how many sessions are `below`, what all of them have `spent`, and their `budget`). Sessions that were removed still count.',
    example: { days: 7 },
  },
  listBudgets: {
    does: 'The budgets of the newest sessions that the caller may read (of at most 500), and what each of them has spent with all sessions below it.',
    fields: {},
    returns:
      'A list of `sessionId`, `budget`, `spent` (`usd`, `tokens`, `toolCalls`, `seconds`; removed sessions count too, and running turns by an estimate) and `state`: `free`, `low` from 80 % of a limit on, `used_up`.',
    example: {},
  },
  answer: {
    does: 'Answers a question. It is settled once.',
    fields: ANSWER_FIELDS,
    returns: 'The settled [Question](#question), with `remembered` if something was remembered.',
    errors: {
      already_settled: 'somebody else was first; `approval` in the data of the error says who and how',
      forbidden:
        'only a person may answer for this session, or a session may not allow what it may not do itself, or answers about a budget',
    },
    example: { approvalId: '6f1c1d34-7d5e-4a37-9d53-1f0f6a1b2c3d', answers: ['allow'] },
  },
  answerAll: {
    does: 'Answers several questions as one decision, in one commit: all of them, or none.',
    fields: {
      questions: 'What `answer` takes, for each question; at most 2000, of any sessions.',
      ...Object.fromEntries(
        Object.entries(ANSWER_FIELDS).map(([name, meaning]) => [`questions[].${name}`, meaning]),
      ),
    },
    returns: 'The settled [Questions](#question), in the same order.',
    errors: {
      already_settled: 'somebody else answered one of them first; none is answered, and the error names it',
      changed: 'the hash of one of them is of another input; none is answered, and the error names it',
      forbidden: 'the caller may not answer one of them so; none is answered, and the error names it',
    },
    example: {
      questions: [
        { approvalId: 'web.1', inputSha256: HASH, approve: true },
        { approvalId: 'web.2', inputSha256: HASH, approve: true },
      ],
    },
  },
  escalate: {
    does: 'Hands a question to the next level above the caller, which is responsible for it from then on.',
    fields: { approvalId: APPROVAL, sessionId: ASKING, note: 'What the next answerer should know.' },
    returns: 'The [Question](#question).',
    errors: { already_settled: 'the question was answered meanwhile' },
    example: { approvalId: '6f1c1d34-7d5e-4a37-9d53-1f0f6a1b2c3d', note: 'I am not sure about the path.' },
  },
  listGrants: {
    does: 'Lists what was remembered and holds in a session: calls that need no new answer. Without `sessionId`, all of it.',
    fields: {
      sessionId: SESSION,
      ended:
        'true: after these also those of the latest 1000 that have ended, the latest first, as long as they are kept.',
    },
    returns:
      'A list with `id`, `scope`, `texts` (its rules, as they are stored), `rules`, `rule` (the exact call), `sessionId` and `approvalId` (the question), `question` (its short id), `names` (of the sessions it is about, by id), `by`, `at`, `endsAt` if it ends by itself, and `ended` if it has: `how` (`expired` or `revoked`), `at`, and `by` if a caller revoked it.',
    errors: { forbidden: 'without `sessionId`, for a client or a session' },
    example: { sessionId: 'greeter' },
  },
  revokeGrant: {
    does: 'Revokes a grant: such calls are asked about again, also in a process that already runs.',
    fields: {
      sessionId: SESSION,
      grantId:
        'The id of the grant, the beginning of it, or the question that it was remembered with, such as `web.3`.',
    },
    returns: 'The remaining grants, of the session or of all.',
    errors: { forbidden: 'it holds for sessions that the caller may not answer for' },
    example: { sessionId: 'greeter', grantId: '9a0c7a30-0d0c-4b7e-8a29-3f6f2f5b1c11' },
  },
  renameSession: {
    does: 'Gives a session another name. The name of a session that has ended can be used again.',
    fields: { sessionId: SESSION, name: 'The new name; it may not end with a dot and a number.' },
    returns: 'The [Session](#session).',
    errors: { in_use: 'another session that has not ended has the name' },
    example: { sessionId: 'greeter', name: 'welcome' },
  },
  deleteSession: {
    does: 'Removes a session with its log and its questions. The conversation stays with Claude Code.',
    fields: { sessionId: SESSION, stop: 'Stop it first, if it is at work.' },
    returns: '`sessionId`, and `name` if it had one.',
    errors: { in_use: 'it is at work, or has sessions below it' },
    example: { sessionId: 'greeter' },
  },
  extend: {
    does: 'Gives a question more time, counted from now.',
    fields: {
      approvalId: APPROVAL,
      sessionId: ASKING,
      seconds: 'How long; by default as long as the session gives to each question.',
    },
    returns: 'The [Question](#question).',
    errors: { already_settled: 'the question has an answer' },
    example: { approvalId: 'greeter.1', seconds: 600 },
  },
  interrupt: {
    does: 'Ends the running turn, like Escape in Claude Code. Open questions and queued prompts are withdrawn.',
    fields: { sessionId: SESSION },
    returns: 'The [Session](#session).',
    example: { sessionId: 'greeter' },
  },
  setMode: {
    does: 'Sets the permission mode. It takes effect at once.',
    fields: { sessionId: SESSION, mode: 'The new mode.', interrupt: 'End the running turn first.' },
    returns: 'The [Session](#session).',
    errors: {
      forbidden: 'the mode needs the scope `bypass`, or allows more than the mode of the calling session',
    },
    example: { sessionId: 'greeter', mode: 'plan' },
  },
  setBudget: {
    does: 'Sets what a session and all sessions below it may spend together. At the limit its turns are interrupted, and new turns and starts are refused until it is raised; nothing is lost. Never for a session.',
    fields: {
      sessionId: SESSION,
      budget:
        '`usd`, `tokens`, `toolCalls`, `seconds`, each optional; without `budget` it has no limit of its own.',
      'budget.usd': 'US dollars.',
      'budget.tokens': 'Tokens that models read and write, cached ones too.',
      'budget.toolCalls': 'Calls of tools.',
      'budget.seconds': 'Time at work, without the time that it waits for answers.',
    },
    returns: 'The [Session](#session).',
    errors: { forbidden: 'the caller is a session' },
    example: { sessionId: 'greeter', budget: { usd: 10 } },
  },
  setModel: {
    does: 'Sets the model for the next turns.',
    fields: { sessionId: SESSION, model: 'A name or alias that Claude Code knows.' },
    returns: 'The [Session](#session).',
    example: { sessionId: 'greeter', model: 'haiku' },
  },
  fork: {
    does: 'Creates a session that continues from a node in the history of another; the original stays as it is.',
    fields: {
      sessionId: 'The id or name of the session, or the id of a conversation of Claude Code.',
      nodeId: 'The node to continue from; the last node by default.',
      name: 'The name of the new session.',
    },
    returns: 'The new [Session](#session).',
    example: { sessionId: 'greeter', name: 'greeter-2' },
  },
  tree: {
    does: 'Returns the tree of turns and forks that a session belongs to, as far as the caller may read it.',
    fields: { sessionId: SESSION },
    returns:
      'A list of roots, each with `node` (`id`, `sessionId`, `parentId`, `turn`, `title`, `at`) and `branches`.',
    example: { sessionId: 'greeter' },
  },
  history: {
    does: 'Returns the turns of a conversation before it became a session here; all turns if it never did (scope `transcripts`).',
    fields: { sessionId: 'The id or name of a session, or the id of a conversation of Claude Code.' },
    returns: 'A list with `id` and `title`, oldest first.',
    example: { sessionId: 'greeter' },
  },
  permitConfig: {
    does: 'Returns what a `claude` command started outside Plexus needs so that its questions are asked here. What an earlier call returned stops working.',
    fields: { sessionId: 'The id or name of a session that was created with `carrier: "mcp"`.' },
    returns: '`mcpConfig` (it holds a token: keep it in a private file), `args` and `env`.',
    example: { sessionId: 'nightly' },
  },
  commandConfig: {
    does: 'The same for `plexus run`: a hook has each tool call judged by the hub, as those of a child are, and the token stays in a private file of the hub.',
    fields: {
      sessionId: 'The id or name of a session that was created with `carrier: "mcp"`.',
      to: '`command` (default) is for `claude -p`. `terminal` is for an interactive one, whose own dialogs ask.',
    },
    returns:
      '`cli` (the path of Claude Code), `args` and `env`; for a terminal also `settings`, to which the caller adds the hook of its dialogs.',
    errors: { in_use: 'a process has the session', cli_missing: 'Claude Code is not installed' },
    example: { sessionId: 'nightly' },
  },
  judgeCall: {
    does: 'The hook of such a `claude` calls it with the token of its session, before each tool call.',
    fields: { hookInput: 'What Claude Code gives to a `PreToolUse` hook.' },
    returns: 'What the hook prints: `{}` where the rules of Claude Code decide, else `hookSpecificOutput`.',
    errors: { forbidden: 'the caller is no process of `plexus run`' },
    example: { hookInput: { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' } },
  },
  handOver: {
    does: 'Lets a process outside Plexus have the conversation, until it ends. The process of the session is ended first.',
    fields: {
      sessionId: SESSION,
      to: '`command` for `plexus run`, `terminal` for `plexus attach --claude` (only for a person).',
      pid: 'The process that has the conversation, or that starts the one that has.',
      stop: 'true: also if the session is at work; its turn is ended.',
    },
    returns:
      '`session`, and for a terminal the `command` to run there (`cli`, `args`, `workingDirectory`, `configFolder`).',
    errors: {
      in_use: 'the session is at work, or a process has it',
      forbidden: 'the caller is not a person',
    },
    example: { sessionId: 'greeter', to: 'terminal', pid: 4711 },
  },
  returnSession: {
    does: 'Reports the end of that process. A session whose process ended unreported is returned by the hub within seconds.',
    fields: {
      sessionId: SESSION,
      pid: 'The process that was named when it was handed over.',
      exitCode: 'Its exit code.',
      signal: 'The signal that ended or interrupted it.',
      cliSessionId: 'The conversation that it had open at its end (`/clear` begins another).',
    },
    returns: 'The [Session](#session).',
    errors: { forbidden: 'another conversation needs the scope `transcripts`' },
    example: { sessionId: 'greeter', pid: 4711, exitCode: 0 },
  },
  stopSession: {
    does: 'Ends the process of a session with every process that it started. The session can be resumed. Sessions below it keep running.',
    fields: { sessionId: SESSION },
    returns: 'The [Session](#session).',
    example: { sessionId: 'greeter' },
  },
}
