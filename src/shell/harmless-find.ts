import type { ShellWord } from './simple-commands.ts'

/** Tests and actions of find that only look and print, with the number of words that follow each. */
const EXPRESSION: ReadonlyMap<string, number> = new Map([
  ...['-name', '-iname', '-path', '-ipath', '-wholename', '-regex', '-iregex', '-regextype'].map(one),
  ...['-type', '-size', '-mtime', '-mmin', '-ctime', '-cmin', '-atime', '-amin', '-perm', '-user'].map(one),
  ...['-maxdepth', '-mindepth', '-links', '-printf'].map(one),
  ...['-empty', '-print', '-print0', '-prune', '-depth', '-xdev', '-mount', '-ls', '-true', '-false'].map(
    none,
  ),
  ...['!', '-not', '-a', '-and', '-o', '-or', '(', ')', ',', '-readable', '-writable', '-executable'].map(
    none,
  ),
])

/** The folders that find looks through; undefined if it could do more than to print names. Pure. */
export function findFolders(args: readonly ShellWord[]): ShellWord[] | undefined {
  const begin = args.findIndex(({ text }) => /^[-!(,)]/.test(text))
  const folders = begin < 0 ? [...args] : args.slice(0, begin)
  for (let at = begin < 0 ? args.length : begin; at < args.length; at += 1) {
    const word = args[at]
    const values = word && !word.pattern ? EXPRESSION.get(word.text) : undefined
    if (values === undefined) return undefined
    // A pattern that the shell fills in could become any number of words, each a test or an action.
    if (values > 0 && args[at + 1]?.pattern !== false) return undefined
    at += values
  }
  return folders
}

function one(name: string): [string, number] {
  return [name, 1]
}

function none(name: string): [string, number] {
  return [name, 0]
}
