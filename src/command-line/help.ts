import type { Command, Flags } from './command.ts'
import { COMMON_FLAGS } from './parse-command.ts'

const GROUPS = {
  sessions: 'Sessions',
  questions: 'Questions',
  page: 'The page in a browser',
  setup: 'Setup',
  hub: 'The hub and its clients',
} as const

/** All commands, a line each. */
export function shortHelp(commands: readonly Command[]): string {
  const shown = commands.filter(({ hidden }) => !hidden)
  const width = Math.max(...shown.map(({ name }) => name.length))
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const lines = shown
      .filter((command) => command.group === group)
      .map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
    return [`${title}:`, ...lines].join('\n')
  })
  return [
    'plexus COMMAND: runs Claude Code sessions, and asks you before they do anything.',
    ...groups,
    'plexus COMMAND --help says more about one of them; plexus --version prints the version.',
  ].join('\n\n')
}

export function helpOf(command: Command): string {
  const { name, aliases = [], summary, args, flags, notes = [], example } = command
  const usage = ['plexus', name, args, '[flags]'].filter((word) => word !== undefined).join(' ')
  const also = aliases.length === 0 ? [] : [`Also: ${aliases.map((alias) => `plexus ${alias}`).join(', ')}`]
  return [
    `${usage}\n  ${summary}`,
    flagLines({ ...flags, ...COMMON_FLAGS }).join('\n'),
    ...notes,
    `Example:\n  ${example.split('\n').join('\n  ')}`,
    ...also,
  ].join('\n\n')
}

function flagLines(flags: Flags): string[] {
  const rows = Object.entries(flags).map(([flag, { short, value, summary }]) => ({
    name: `${short === undefined ? '    ' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${value}`}`,
    summary,
  }))
  const width = Math.max(...rows.map(({ name }) => name.length))
  return rows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
}
