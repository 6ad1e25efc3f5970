import type { Command, Flag } from '../../command-line/command.ts'

const YES: Flag = { type: 'boolean', short: 'y', summary: 'do not ask' }

/** What makes Plexus part of a machine: its clients, its service, its checks. */
export const SETUP_COMMANDS: readonly Command[] = [
  {
    name: 'install',
    completes: 'client',
    group: 'setup',
    summary: 'add Plexus to an MCP client; without a name, list the clients and what they have',
    args: '[CLIENT]',
    flags: {
      yes: YES,
      print: { type: 'boolean', summary: 'print the entry, and write nothing' },
      as: {
        type: 'string',
        value: 'NAME',
        summary: 'the name of this client: it sees no sessions but its own',
      },
      ask: { type: 'string', value: 'WHOM', summary: 'put questions to the model, a person, or both' },
      'allow-rules': {
        type: 'boolean',
        summary: 'claude-code: let the model start, watch and list sessions unasked',
      },
    },
    example: 'plexus install claude-code',
    load: () => import('./install.ts'),
  },
  {
    name: 'uninstall',
    completes: 'client',
    group: 'setup',
    summary: 'take Plexus out of an MCP client; without a name, list what is on this machine',
    args: '[CLIENT]',
    flags: {
      yes: YES,
      'allow-rules': { type: 'boolean', summary: 'claude-code: remove the allow rules as well' },
    },
    example: 'plexus uninstall claude-code',
    load: () => import('./uninstall.ts'),
  },
  {
    name: 'rules',
    group: 'setup',
    summary: 'list the rules that decide about calls, try them, learn new ones, and say which one decided',
    args: 'VERB [WHAT]',
    flags: {
      yes: YES,
      session: { type: 'string', value: 'SESSION', summary: 'test: as if this session made the call' },
      since: { type: 'string', value: 'DAYS', summary: 'replay, suggest: how far back, such as 30d' },
    },
    notes: [
      'ls lists the rules of rules.json in the home folder, and after them what was remembered with answers. check FILE checks a file and its examples. test CALL says what the rules decide about a call in this folder, and runs nothing. explain QUESTION says which rule decided a question, also after its session was removed. offers QUESTION lists the rules that could be remembered with its answer.',
      'replay FILE says what a file would have decided about the questions of the last 30 days; its exit code is 1 if it would have allowed one that was denied. suggest lists rules for what was answered alike three times. add RULE (JSON, a file, or the id of a suggested rule), import FILE (settings of Claude Code) and revoke ID (of the file, or remembered) show that replay before they save. export prints the rules as permissions of Claude Code, and names what those cannot say.',
    ],
    example:
      'plexus rules test "Bash(git push)" --session web\nplexus rules explain web.3\nplexus rules replay new-rules.json --since 30d\nplexus rules import ~/.claude/settings.json',
    load: () => import('./rules.ts'),
  },
  {
    name: 'trust',
    group: 'setup',
    summary:
      'load what the project in a folder says (settings, hooks, MCP servers), or list or end such trust',
    args: 'DIR|ls|rm [DIR]',
    flags: { yes: YES },
    example: 'plexus trust ~/code/web',
    load: () => import('./trust.ts'),
  },
  {
    name: 'token',
    group: 'setup',
    summary: 'list, make or remove the tokens of clients; each sees no sessions but its own',
    args: 'ls|add|rm [NAME]',
    flags: {
      yes: YES,
      scope: {
        type: 'string',
        value: 'SCOPES',
        summary: 'transcripts: other conversations too; bypass: sessions that ask about nothing',
      },
      show: { type: 'boolean', summary: 'print the token itself, not the path of its file' },
    },
    example: 'plexus token add editor',
    load: () => import('./token.ts'),
  },
  {
    name: 'service',
    group: 'setup',
    summary: 'run the hub as a service: install, uninstall or status',
    args: '[ACTION]',
    flags: {
      print: { type: 'boolean', summary: 'print the file of the service and write nothing' },
      yes: { type: 'boolean', short: 'y', summary: 'do it without a question' },
    },
    example: 'plexus service install',
    load: () => import('./service.ts'),
  },
  {
    name: 'terminals',
    group: 'setup',
    summary: 'let the claude in your terminals ask the hub too, beside its own dialog: on, off or status',
    args: 'on|off|status',
    flags: {
      yes: YES,
      print: { type: 'boolean', summary: 'on: print the entry and the relay, and write nothing' },
    },
    notes: [
      'on adds one entry to the settings of Claude Code: a question of a terminal is then at the hub as well, and the first answer counts. off removes exactly that entry. docs/TERMINALS.md says what it changes and what it costs.',
    ],
    example: 'plexus terminals on\nplexus terminals status\nplexus terminals off',
    load: () => import('./terminals.ts'),
  },
  {
    name: 'doctor',
    group: 'setup',
    summary: 'check what sessions need on this machine, and say what to do; changes nothing',
    flags: {},
    example: 'plexus doctor',
    load: () => import('./doctor.ts'),
  },
]
