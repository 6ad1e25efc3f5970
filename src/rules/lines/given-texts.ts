import { COMMAND_LETTERS } from '../../shell/programs/options-that-run.ts'
import type { Words } from './run-by-others.ts'

/** What the arguments of an ordinary command may give it to run. */
interface Given {
  /** Texts that may be a command, or have one in them. */
  readonly texts: readonly string[]
  /** The words after `--`. */
  readonly rest: Words | undefined
}

const NOTHING: Given = { texts: [], rest: undefined }

/**
 * Many programs take a program by an option or a setting: `sort --compress-program=x`, `git -c core.pager=x`, `make SHELL=x`,
 * `tool -- x`. Nobody knows them all, so each value counts, but for those that are known to be prose. Pure.
 */
export function givenTo(name: string, words: Words): Given {
  let texts: string[] | undefined
  let rest: Words | undefined
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index]
    if (word === undefined) continue
    if (word === '--') {
      if (words[index + 1]?.startsWith('-') === false) rest = words.slice(index + 1)
      break
    }
    const text = word.startsWith('-') ? ofOption(name, word, words[index + 1]) : ofOperand(name, word)
    if (text !== undefined && text !== '') (texts ??= []).push(text)
  }
  return texts || rest ? { texts: texts ?? [], rest } : NOTHING
}

function ofOption(name: string, word: string, next: string | undefined): string | undefined {
  const equals = word.indexOf('=')
  if (equals > 0) return PROSE.test(word.slice(0, equals)) ? undefined : word.slice(equals + 1)
  if (word.length > 2 && RUNS.test(word)) return next
  const letters = COMMAND_LETTERS.get(name)
  if (letters === undefined || !letters.includes(word.charAt(1))) return undefined
  return word.length > 2 ? word.slice(2) : next
}

/** `SHELL=x` of make, and `ext::x` of git. */
function ofOperand(name: string, word: string): string | undefined {
  const equals = word.indexOf('=')
  if (equals > 0 && SETTING.test(word)) return word.slice(equals + 1)
  return name === 'git' && word.startsWith('ext::') ? word.slice(5) : undefined
}

/** Settings of git by which it runs what nobody can read here: by a variable, or by the files of a folder. */
export function runsWhatASettingNames(words: Words): boolean {
  for (const word of words)
    if (word !== undefined && (word.startsWith('--') || word.includes('=')) && UNREADABLE.test(word))
      return true
  return false
}

const UNREADABLE = /^--config-env|^--exec-path=|core\.hookspath=|^include(?:if\..*)?\.path=/i

/** Options whose value is no command, but a text for people or a pattern. */
const PROSE =
  /^--?(?:message|title|body|description|notes?|subject|comment|text|author|format|pretty|grep|pattern|regexp|label|reason|trailer|date|since|until)$/

/** Of an option with its value in the next word: its name says that it is given something to run. */
const RUNS =
  /exec|command|cmd|prog|pager|editor|shell|ssh|rsh|script|filt|hook|viewer|browser|runner|wrap|preview|bind|eval|run|call|pack|askpass|render|entrypoint|chooser|tool|invoke|config|action|open|^--pre$/

const SETTING = /^[\w.:/-]+=/
