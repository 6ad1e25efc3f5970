import stringWidth from 'string-width'
import type { Finding, Level } from './checks/finding.ts'

type Paint = (level: Level, text: string) => string

/** Aligned lines: what it means in a word, what was checked, and the sentence, which continues below itself. */
export function findingLines(findings: readonly Finding[], width: number, paint: Paint): string[] {
  const checkWidth = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat(LEVEL_WIDTH + checkWidth + 4)
  return findings.flatMap(({ level, check, text }) => {
    const [first = '', ...more] = wrapped(text, Math.max(MIN_WIDTH, width - indent.length))
    const start = `${paint(level, level.padEnd(LEVEL_WIDTH))}  ${check.padEnd(checkWidth)}  `
    return [`${start}${first}`, ...more.map((line) => `${indent}${line}`)]
  })
}

const LEVEL_WIDTH = 4
const MIN_WIDTH = 20

/** At most so wide, broken between words; a word that is wider, such as a path, stays whole so that it can be copied. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && stringWidth(last) + 1 + stringWidth(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** With `~` for the user's own folder, as a shell reads it too. */
export function withTilde(text: string, home: string | undefined): string {
  if (!home || home === '/') return text
  // Only where a path begins: the same letters in the middle of another path are no home.
  return text.replaceAll(/(?<=^|[ (=])\/\S*/g, (path) =>
    path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path,
  )
}

/** The last line. */
export function summary(findings: readonly Finding[]): string {
  const todo = findings.filter(({ level }) => level === 'fix').length
  if (todo === 0) return 'All is well.'
  return todo === 1 ? 'One thing is to be fixed.' : `${todo} things are to be fixed.`
}
