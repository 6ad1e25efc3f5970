import type { Command, Flags } from './command.ts'
import { commonFlagsOf } from './parse-command.ts'
import { wordRows } from './terminal/word-rows.ts'

const GROUPS = {
  sessions: 'Sessions',
  questions: 'Questions',
  page: 'The page in a browser',
  setup: 'Setup',
  hub: 'The hub and its clients',
} as const

/** All commands, a line each; a long one continues below its text. */
export function shortHelp(commands: readonly Command[], columns: number): string {
  const shown = commands.filter(({ hidden }) => !hidden)
  const width = Math.max(...shown.map(({ name }) => name.length))
  const groups = Object.entries(GROUPS).map(([group, title]) => {
    const lines = shown
      .filter((command) => command.group === group)
      .flatMap(({ name, summary }) => hanging(`  ${name.padEnd(width)}  `, summary, columns))
    return [`${title}:`, ...lines].join('\n')
  })
  return [
    wordRows(
      'plexus COMMAND: runs Claude Code sessions, and asks you before they do anything.',
      columns,
    ).join('\n'),
    ...groups,
    wordRows(
      'plexus COMMAND --help says more about one of them; plexus --version prints the version.',
      columns,
    ).join('\n'),
  ].join('\n\n')
}

/** By default for a page, where nothing is broken. */
export function helpOf(command: Command, columns = Number.POSITIVE_INFINITY): string {
  const { name, aliases = [], summary, args, flags, notes = [], example } = command
  const usage = ['plexus', name, args, '[flags]'].filter((word) => word !== undefined).join(' ')
  const also = aliases.length === 0 ? [] : [`Also: ${aliases.map((alias) => `plexus ${alias}`).join(', ')}`]
  return [
    `${usage}\n${hanging('  ', summary, columns).join('\n')}`,
    flagLines({ ...flags, ...commonFlagsOf(command) }, columns).join('\n'),
    ...notes.map((note) => wordRows(note, columns).join('\n')),
    `Example:\n  ${example.split('\n').join('\n  ')}`,
    ...also,
  ].join('\n\n')
}

function flagLines(flags: Flags, columns: number): string[] {
  const rows = Object.entries(flags).map(([flag, { short, value, summary }]) => ({
    name: `${short === undefined ? '    ' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${value}`}`,
    summary,
  }))
  const width = Math.max(...rows.map(({ name }) => name.length))
  return rows.flatMap(({ name, summary }) => hanging(`  ${name.padEnd(width)}  `, summary, columns))
}

/** The text beside what it is about; where that leaves no room for it, below the left edge. */
function hanging(start: string, text: string, columns: number): string[] {
  const width = columns - start.length
  if (width < MIN_WIDTH) return wordRows(start + text, columns)
  return wordRows(text, width).map((row, at) => (at === 0 ? start : ' '.repeat(start.length)) + row)
}

const MIN_WIDTH = 16
