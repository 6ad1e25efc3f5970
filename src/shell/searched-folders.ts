import { resolvePath } from './path-bounds.ts'
import type { ShellContext } from './harmless.ts'
import { wordSet } from './programs/word-set.ts'

/** Programs that read, copy or change all that lies below a folder, and the letters of the option by which some of them do. */
const RECURSIVE: ReadonlyMap<string, string | undefined> = new Map([
  ...['rg', 'ag', 'ack', 'ugrep', 'ug', 'tar', 'gtar', 'bsdtar', '7z', 'mv', 'rsync'].map(
    (name) => [name, undefined] as const,
  ),
  ...['grep', 'egrep', 'fgrep', 'zgrep', 'rm', 'scp', 'zip', 'diff'].map((name) => [name, 'rR'] as const),
  ...['chmod', 'chown', 'chgrp'].map((name) => [name, 'R'] as const),
  ['cp', 'rRa'],
])
const LONG = /^--(?:rec|dereference-rec|archive|directories=rec)/
/** Without a path these search the folder of the shell. */
const SEARCHERS = wordSet('rg ag ack ugrep ug grep egrep fgrep zgrep git')

type Words = readonly (string | undefined)[]

/** Whether a command of this name can search a folder: most cannot, and need no further look. */
export function maySearch(name: string | undefined): boolean {
  const program = name?.toLowerCase()
  return program !== undefined && (program === 'git' || RECURSIVE.has(program))
}

/** The folders below which a command reads, copies or changes all there is, as real paths; in any folder that its shell may be in. */
export function searchedFolders(words: Words, cwds: readonly string[], { files }: ShellContext): string[] {
  const name = words[0]?.toLowerCase() ?? ''
  const args = name === 'git' ? words.slice(2) : words.slice(1)
  if (name === 'git' ? words[1] !== 'grep' : !isRecursive(name, args)) return []
  const found: string[] = []
  const { operands, certain } = operandsOf(name === 'git' ? 'grep' : name, args)
  for (const cwd of cwds) {
    for (const operand of operands) {
      const path = operand === undefined ? cwd : resolvePath(files, cwd, operand)
      if (path !== undefined) found.push(path)
    }
    // The first operand is what is sought, and one after an option may be its value.
    const last = certain.length > 1 ? certain.at(-1) : undefined
    const path = last === undefined ? undefined : resolvePath(files, cwd, last)
    if (SEARCHERS.has(name) && (path === undefined || !files.hasEntry(path))) found.push(cwd)
  }
  return found
}

function isRecursive(name: string, args: Words): boolean {
  if (!RECURSIVE.has(name)) return false
  const letters = RECURSIVE.get(name)
  if (letters === undefined) return true
  return args.some((arg) => {
    if (arg === undefined || arg.startsWith('--')) return arg === undefined || LONG.test(arg)
    return arg === '-d' || (arg.startsWith('-') && letters.split('').some((letter) => arg.includes(letter)))
  })
}

function operandsOf(name: string, args: Words): { operands: Words; certain: Words } {
  const operands: (string | undefined)[] = []
  const certain: (string | undefined)[] = []
  for (const [index, arg] of args.entries()) {
    if (arg?.startsWith('-') === true) continue
    operands.push(arg)
    if (!mayTakeValue(name, args[index - 1])) certain.push(arg)
  }
  return { operands, certain }
}

/** Whether the word after this one may be its value. */
function mayTakeValue(name: string, word: string | undefined): boolean {
  if (word === undefined || word === '--' || !word.startsWith('-') || word.includes('=')) return false
  return word.startsWith('--') || !name.endsWith('grep') || VALUE_LETTERS_OF_GREP.includes(word.at(-1) ?? '')
}

const VALUE_LETTERS_OF_GREP = 'ABCmefdD'
