import { AppError } from '../../base/errors.ts'
import { nameOfFlag, PASSED_ON, reasonAgainst } from './claude-flags.ts'

/** The arguments of a `claude -p`, read as its own parser does. */
export interface ClaudeArguments {
  /** Each flag in one word, `--name=value`: what was read here is what the CLI reads. */
  readonly args: readonly string[]
  readonly prompt: readonly string[]
  readonly isPrinting: boolean
  /** It names the conversation itself, or has none. */
  readonly choosesConversation: boolean
  readonly permissionMode?: string | undefined
  readonly allowedTools: readonly string[]
  readonly addDirs: readonly string[]
  readonly mcpConfigs: readonly string[]
}

interface GivenFlag {
  readonly name: string
  readonly value?: string | undefined
}

/** Throws, with the argument's name, where supervision could not be kept. Pure. */
export function claudeArguments(given: readonly string[]): ClaudeArguments {
  const { flags, prompt } = readWords(given)
  const valuesOf = (name: string) =>
    flags.flatMap((flag) => (flag.name === name && flag.value !== undefined ? [flag.value] : []))
  const has = (...names: readonly string[]) => flags.some(({ name }) => names.includes(name))
  for (const format of valuesOf('input-format'))
    if (format !== 'text')
      throw refused('--input-format', 'whoever writes its input could change its mode; only text is read')
  const modes = valuesOf('permission-mode').map(supervisedMode)
  return {
    args: flags.filter(({ name }) => !SET_BY_US.has(name)).map(wordOf),
    prompt,
    isPrinting: has('print'),
    choosesConversation: has('session-id', 'resume', 'continue', 'no-session-persistence'),
    permissionMode: modes.at(-1),
    allowedTools: valuesOf('allowedTools').flatMap(rulesIn),
    addDirs: valuesOf('add-dir'),
    mcpConfigs: valuesOf('mcp-config'),
  }
}

/** The hub judges by these, so it is given them, and passes them on itself. */
const SET_BY_US: ReadonlySet<string> = new Set(['permission-mode', 'allowedTools', 'add-dir'])

function readWords(given: readonly string[]): { flags: GivenFlag[]; prompt: string[] } {
  const words = [...given]
  const flags: GivenFlag[] = []
  const prompt: string[] = []
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      prompt.push(...words.splice(0))
    } else if (word.startsWith('--')) {
      const [, written = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? []
      flags.push(...readFlag(`--${written}`, nameOfFlag(written), value, words))
    } else if (isFlag(word)) {
      flags.push(...readShort(word, words))
    } else {
      prompt.push(word)
    }
  }
  return { flags, prompt }
}

/** `-pc` is `-p -c`, and `-rID` is `-r ID`. */
function readShort(word: string, words: string[]): GivenFlag[] {
  const [letter, rest] = [word.slice(1, 2), word.slice(2)]
  const name = nameOfFlag(letter)
  const takesValue = PASSED_ON.get(name) !== 'none'
  if (rest !== '' && !takesValue) words.unshift(`-${rest}`)
  return readFlag(`-${letter}`, name, rest !== '' && takesValue ? rest : undefined, words)
}

function readFlag(written: string, name: string, value: string | undefined, words: string[]): GivenFlag[] {
  const kind = PASSED_ON.get(name)
  if (kind === undefined) throw refused(written, reasonAgainst(name))
  if (kind === 'none') {
    if (value !== undefined) throw new AppError('invalid_input', `${written} takes no value.`)
    return [{ name }]
  }
  if (value !== undefined) return [{ name, value }]
  const [next] = words
  if (kind === 'optional')
    return [{ name, ...(next === undefined || isFlag(next) ? {} : { value: words.shift() }) }]
  if (next === undefined) throw new AppError('invalid_input', `${written} needs a value.`)
  const values = words.splice(0, 1)
  if (kind === 'many') {
    const end = words.findIndex(isFlag)
    values.push(...words.splice(0, end === -1 ? words.length : end))
  }
  return values.map((each) => ({ name, value: each }))
}

function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-')
}

function wordOf({ name, value }: GivenFlag): string {
  return value === undefined ? `--${name}` : `--${name}=${value}`
}

function supervisedMode(mode: string): string {
  const known = mode === 'manual' ? 'default' : mode
  if (SUPERVISED_MODES.includes(known)) return known
  throw refused(`--permission-mode ${mode}`, `only ${SUPERVISED_MODES.join(', ')} ask`)
}

const SUPERVISED_MODES: readonly string[] = ['default', 'acceptEdits', 'plan', 'dontAsk']

/** The CLI splits at commas and spaces outside parentheses. A text that is no rule stays as it is, and the hub refuses it. */
function rulesIn(value: string): string[] {
  const rules: string[] = []
  let [rule, isInside] = ['', false]
  for (const char of `${value} `) {
    if (!isInside && /[\s,]/.test(char)) {
      if (rule !== '') rules.push(rule)
      rule = ''
    } else {
      rule += char
      isInside = char === '(' || (isInside && char !== ')')
    }
  }
  return rule.trim() === '' ? rules : [...rules, rule.trim()]
}

function refused(argument: string, reason: string): AppError {
  return new AppError('invalid_input', `plexus run does not take ${argument}: ${reason}.`)
}
