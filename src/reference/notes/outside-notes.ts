import { type NotesOf, SESSION } from './verb-note.ts'

type OutsideVerb = 'permitConfig' | 'commandConfig' | 'judgeCall' | 'handOver' | 'returnSession'

export const OUTSIDE_NOTES: NotesOf<OutsideVerb> = {
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
}
