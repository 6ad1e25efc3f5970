import type { ShellWord } from '../lines/shell-word.ts'

/** How a program may be called so that it only prints and reads the files that its operands name. */
export interface HarmlessUse {
  /** Letters of options; their values are never files. */
  readonly short?: string
  /** Names of long options, with or without `=value`; their values are never files. */
  readonly long?: ReadonlySet<string>
  /** The first operand is a pattern or a program text, unless one of these options gives it. */
  readonly textFirst?: { readonly unless: readonly string[]; readonly text?: RegExp }
  /** A further operand would be a file to write. */
  readonly maxOperands?: number
  /** Operands are texts, not files. */
  readonly text?: boolean
  /** Operands may not be folders, because the program would follow the links in them. */
  readonly noFolders?: boolean
  /** Every argument is an operand. */
  readonly noOptions?: boolean
  /** What else must hold for all arguments together. */
  readonly only?: (words: readonly ShellWord[]) => boolean
}

/**
 * The arguments that may name files; undefined if an argument is not known to be harmless. An option that is not listed is
 * not known: many programs take a file, a program or an output path by an option. Pure.
 */
export function fileOperands(use: HarmlessUse, args: readonly ShellWord[]): ShellWord[] | undefined {
  const { short = '', long, textFirst, maxOperands = Infinity, text = false, noOptions = false } = use
  if (use.only?.(args) === false) return undefined
  const operands: ShellWord[] = []
  const given = new Set<string>()
  let options = !noOptions
  for (const word of args) {
    if (!options || word.text === '-' || !word.text.startsWith('-') || word.pattern) {
      operands.push(word)
    } else if (word.text === '--') {
      options = false
    } else if (word.text.startsWith('--')) {
      const [name = ''] = word.text.slice(2).split('=', 1)
      if (!long?.has(name)) return undefined
      given.add(`--${name}`)
    } else {
      // `-n5` and `-d,` have their value in the same word; a number alone counts as the letter 0.
      const letters = /^-([A-Za-z]*)[^A-Za-z/]*$/.exec(word.text)?.[1]
      if (letters === undefined) return undefined
      for (const letter of letters === '' ? '0' : letters) {
        if (!short.includes(letter)) return undefined
        given.add(`-${letter}`)
      }
    }
  }
  if (operands.length > maxOperands) return undefined
  const first = operands[0]
  const isText = textFirst && !textFirst.unless.some((option) => given.has(option))
  if (isText && first && (first.pattern || textFirst.text?.test(first.text) === false)) return undefined
  const files = isText ? operands.slice(1) : operands
  if (text) return files.filter(({ pattern }) => pattern)
  // Some programs take `@file` for a file with more arguments.
  return files.some((file) => file.text.startsWith('@')) ? undefined : files
}
