import type { Command } from '../../command-line/command.ts'

/** What decides before anybody is asked. */
export const RULES_COMMANDS: readonly Command[] = [
  {
    name: 'rules',
    group: 'setup',
    summary: 'list the rules that decide about calls, try them, learn new ones, and say which one decided',
    args: 'VERB [WHAT]',
    flags: {
      yes: { type: 'boolean', short: 'y', summary: 'do not ask' },
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
]
