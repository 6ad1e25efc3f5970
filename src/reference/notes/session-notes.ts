import type { ErrorCode } from '../../base/errors.ts'
import { type NotesOf, SESSION } from './verb-note.ts'

const FULL: Partial<Record<ErrorCode, string>> = {
  too_many_sessions: 'all process slots (`MAX_SESSIONS`) are in use',
  storage_full: 'the disk is full',
  cli_missing: 'Claude Code is not installed',
}

type SessionVerb =
  | 'createSession'
  | 'startTurn'
  | 'getSession'
  | 'listSessions'
  | 'listConversations'
  | 'renameSession'
  | 'deleteSession'
  | 'interrupt'
  | 'setMode'
  | 'setModel'
  | 'fork'
  | 'tree'
  | 'history'
  | 'stopSession'
  | 'listFolders'

export const SESSION_NOTES: NotesOf<SessionVerb> = {
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
  stopSession: {
    does: 'Ends the process of a session with every process that it started. The session can be resumed. Sessions below it keep running.',
    fields: { sessionId: SESSION },
    returns: 'The [Session](#session).',
    example: { sessionId: 'greeter' },
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
}
