import type { ShellWord } from '../lines/shell-word.ts'

/** Tests and actions of find that only read and print, with the number of words that follow each. */
const EXPRESSION: ReadonlyMap<string, number> = new Map([
  ...['-name', '-iname', '-path', '-ipath', '-wholename', '-regex', '-iregex', '-regextype'].map(withValue),
  ...['-type', '-size', '-mtime', '-mmin', '-ctime', '-cmin', '-atime', '-amin', '-perm', '-user'].map(
    withValue,
  ),
  ...['-maxdepth', '-mindepth', '-links', '-printf'].map(withValue),
  ...['-empty', '-print', '-print0', '-prune', '-depth', '-xdev', '-mount', '-ls', '-true', '-false'].map(
    withoutValue,
  ),
  ...['!', '-not', '-a', '-and', '-o', '-or', '(', ')', ',', '-readable', '-writable', '-executable'].map(
    withoutValue,
  ),
])

/** The folders that find searches; undefined if it could do more than print names. Pure. */
export function findFolders(args: readonly ShellWord[]): ShellWord[] | undefined {
  const start = args.findIndex(({ text }) => /^[-!(,)]/.test(text))
  const folders = start < 0 ? [...args] : args.slice(0, start)
  for (let index = start < 0 ? args.length : start; index < args.length; index += 1) {
    const word = args[index]
    const values = word && !word.pattern ? EXPRESSION.get(word.text) : undefined
    if (values === undefined) return undefined
    // A pattern that the shell expands could become any number of words, each a test or an action.
    if (values > 0 && args[index + 1]?.pattern !== false) return undefined
    index += values
  }
  return folders
}

function withValue(name: string): [string, number] {
  return [name, 1]
}

function withoutValue(name: string): [string, number] {
  return [name, 0]
}
