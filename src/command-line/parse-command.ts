import { parseArgs } from 'node:util'
import { AppError } from '../base/errors.ts'
import { type Command, type Flag, type GivenFlags, FlagValues, type Flags } from './command.ts'

/** Flags of every command. */
export const COMMON_FLAGS: Flags = {
  home: { type: 'string', value: 'DIR', summary: 'the home folder of the hub' },
  json: { type: 'boolean', summary: 'print JSON' },
  color: { type: 'string', value: 'WHEN', summary: 'auto, always or never' },
  'no-input': { type: 'boolean', summary: 'ask nothing here, also on a terminal' },
  help: { type: 'boolean', short: 'h', summary: 'print this help' },
}

/** For commands that print ids. */
export const QUIET: Flag = { type: 'boolean', short: 'q', summary: 'print ids only' }

export interface ParsedCommand {
  readonly args: readonly string[]
  readonly flags: FlagValues
}

export function findCommand(commands: readonly Command[], name: string): Command | undefined {
  return commands.find((command) => command.name === name || command.aliases?.includes(name))
}

/** The one command that a mistyped name may mean: a letter too many, missing or wrong, two swapped, or only its beginning. */
export function nearestName(commands: readonly Command[], typed: string): string | undefined {
  const names = commands
    .filter(({ hidden }) => !hidden)
    .flatMap(({ name, aliases = [] }) => [name, ...aliases])
  const near = names.filter((name) => isNear(name, typed) || (typed.length > 1 && name.startsWith(typed)))
  return near.length === 1 ? near[0] : undefined
}

function isNear(name: string, typed: string): boolean {
  let same = 0
  while (same < name.length && name[same] === typed[same]) same += 1
  const [a, b] = [name.slice(same), typed.slice(same)]
  const isSwapped = a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0]
  return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || isSwapped
}

/** Flags and arguments of a command. What it does not know is refused: a mistyped flag must not be taken for a prompt. */
export function parseCommand(command: Command, given: readonly string[]): ParsedCommand {
  if (command.parsesItself) return { args: given, flags: new FlagValues(ownHelp(command, given)) }
  const { values, positionals } = parsed(command, given)
  const flags = new FlagValues(values)
  if (!flags.isSet('help')) requireArity(command, positionals)
  return { args: positionals, flags }
}

/** `plexus rpc --help` is about the command, `plexus rpc METHOD --help` about the method; what is completed is left as it is. */
function ownHelp({ hidden }: Command, [first]: readonly string[]): GivenFlags {
  return !hidden && (first === '--help' || first === '-h') ? { help: true } : {}
}

/** The common flags that it takes: a command that parses its own words takes few. */
export function commonFlagsOf({ parsesItself }: Command): Flags {
  const { json, help } = COMMON_FLAGS
  return parsesItself && json && help ? { json, help } : COMMON_FLAGS
}

function parsed({ name, flags }: Command, given: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries({ ...COMMON_FLAGS, ...flags }).map(([flag, { type, short, multiple = false }]) => [
      flag,
      short === undefined ? { type, multiple } : { type, short, multiple },
    ]),
  )
  try {
    const args = withEmptyValues(given, flags)
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { values: givenFlags(values), positionals }
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : '').split(/\.\s|\n/)
    throw new AppError('invalid_input', `${sentence.replace(/\.$/, '')}; see plexus ${name} --help.`, {
      cause: error,
    })
  }
}

/** A flag whose value may be missing has none at the end of the line and before another flag. */
function withEmptyValues(given: readonly string[], flags: Flags): string[] {
  const end = given.indexOf('--')
  return given.map((word, index) => {
    const isFlag = word.startsWith('--') && (end < 0 || index < end)
    const next = given[index + 1]
    const isBare = isFlag && flags[word.slice(2)]?.optional && (next === undefined || next.startsWith('-'))
    return isBare ? `${word}=` : word
  })
}

function givenFlags(values: ReturnType<typeof parseArgs>['values']): GivenFlags {
  return Object.fromEntries(
    Object.entries(values).flatMap(([flag, value]) => {
      if (value === undefined) return []
      return [[flag, Array.isArray(value) ? value.map(String) : value]]
    }),
  )
}

function requireArity({ name, args = '', example }: Command, positionals: readonly string[]): void {
  const { least, most } = arityOf(args)
  const count = positionals.length
  if (count >= least && count <= most) return
  if (count > most)
    throw new AppError(
      'invalid_input',
      `plexus ${name} has no use for ${positionals[most]}; see plexus ${name} --help.`,
    )
  const missing = args.split(' ')[count]?.replaceAll(/[[\].]/g, '') ?? 'something'
  const [shown = ''] = example.split('\n')
  throw new AppError('invalid_input', `${missing} is missing; an example: ${shown}`)
}

/** How many arguments there may be, from their text in the table: `ID [TEXT...]` is one or more. */
export function arityOf(args: string): { least: number; most: number } {
  const words = args.split(' ').filter((word) => word !== '')
  const least = words.filter((word) => !word.startsWith('[')).length
  const most = words.some((word) => word.includes('...')) ? Number.POSITIVE_INFINITY : words.length
  return { least, most }
}
