import { writeSync } from 'node:fs'
import { styleText } from 'node:util'
import { AppError } from '../base/errors.ts'
import { wordLines } from '../text/word-lines.ts'
import { visibleJson } from '../text/visible-json.ts'
import { type TerminalLook, terminalLook } from './terminal/terminal-look.ts'
import type { Style } from './views/session-words.ts'

/** The streams of a command: data goes to stdout, everything else that is said goes to stderr. */
export interface Output {
  /** Whether a person looks at stdout: otherwise nothing is cut off. */
  readonly isTerminal: boolean
  readonly columns: number
  /** How many lines a person sees at once. */
  readonly rows: number
  /** Whether a person can be asked here. */
  readonly mayPrompt: boolean
  readonly isJson: boolean
  readonly line: (text: string) => void
  /** One value, with the version of its form. */
  readonly json: (value: object) => void
  readonly say: (text: string) => void
  /** Sentences for a person: on a terminal they are broken between words. */
  readonly explain: (text: string) => void
  readonly style: (style: Style, text: string) => string
  /** How screens are painted here. */
  readonly look: TerminalLook
  /** Called once nobody can read any more: a pipe or a terminal was closed. By default the process ends. */
  readonly whenClosed: (handler: () => void) => void
}

export interface OutputOptions {
  readonly color: ColorChoice
  readonly json: boolean
  /** `--no-input`: nothing is asked. */
  readonly noInput: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

const FORMATS = { strong: 'bold', faint: 'dim', good: 'green', bad: 'red', attention: 'yellow' } as const
const DEFAULT_COLUMNS = 80
const DEFAULT_ROWS = 24

const COLOR_CHOICES = ['auto', 'always', 'never'] as const
type ColorChoice = (typeof COLOR_CHOICES)[number]

/** What `--color` says. */
export function colorChoice(text = 'auto'): ColorChoice {
  const choice = COLOR_CHOICES.find((known) => known === text)
  if (choice) return choice
  throw new AppError('invalid_input', '--color must be auto, always or never.')
}

export function processOutput({ color, json, noInput, env }: OutputOptions): Output {
  const { stdout } = process
  let closed: () => void = endProcess
  // A reader that has seen enough, such as head, closes the pipe: that is no error. EIO of a terminal is one that is gone.
  const onError = (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || (error.code === 'EIO' && stdout.isTTY)) closed()
    else endUnwritten(error)
  }
  stdout.on('error', onError)
  let opened: typeof process.stderr | undefined
  const stderr = () => (opened ??= process.stderr.on('error', onError))
  const colored = color === 'always' || (color === 'auto' && mayColor(env, stdout))
  const style = (name: Style, text: string) =>
    colored ? styleText(FORMATS[name], text, { validateStream: false }) : text
  const look = terminalLook(env, style)
  const shown = (text: string) => (stdout.isTTY ? look.encode(text) : text)
  return {
    isTerminal: stdout.isTTY,
    columns: stdout.isTTY ? stdout.columns || DEFAULT_COLUMNS : Number.POSITIVE_INFINITY,
    rows: stdout.isTTY ? stdout.rows || DEFAULT_ROWS : Number.POSITIVE_INFINITY,
    // The other two streams are opened only by a command that uses them.
    get mayPrompt() {
      return process.stdin.isTTY && process.stderr.isTTY && !noInput && !env['CI']
    },
    isJson: json,
    line: (text) => void stdout.write(`${shown(text)}\n`),
    json: (value) => void stdout.write(`${visibleJson({ v: 1, ...value })}\n`),
    say: (text) => void stderr().write(`${text}\n`),
    explain: (text) => {
      const stream = stderr()
      const lines = stream.isTTY ? wordLines(text, (stream.columns || DEFAULT_COLUMNS) - 1) : [text]
      stream.write(`${lines.join('\n')}\n`)
    },
    style,
    look,
    whenClosed: (handler) => {
      closed = handler
      stderr() // a screen writes there too
    },
  }
}

/** What a command prints is its result, so a result that nobody can have is a failure. */
export function endUnwritten({ code = 'unknown' }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return endProcess()
  try {
    writeSync(STDERR, `plexus: The output cannot be written (${code}); check the disk that it goes to.\n`)
  } finally {
    process.exit(1)
  }
}

const STDERR = 2

function endProcess(): void {
  process.exit()
}

/** NO_COLOR and FORCE_COLOR as everywhere; a terminal that is called dumb has no colours. */
function mayColor(env: OutputOptions['env'], { isTTY }: { readonly isTTY?: boolean | undefined }): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0'
  return isTTY === true && env['TERM'] !== 'dumb'
}
