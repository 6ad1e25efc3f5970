import { visibleText } from '../../text/visible-text.ts'

/** What a person changed in a text: `-` lines and `+` lines, with a few that stayed around them. */
export function changeLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const top = commonLines(old, now)
  const bottom = commonLines(old.slice(top).toReversed(), now.slice(top).toReversed())
  const removed = old.slice(top, old.length - bottom)
  const added = now.slice(top, now.length - bottom)
  if (removed.length === 0 && added.length === 0) return []
  return [
    ...marked(' ', old.slice(Math.max(0, top - AROUND), top)),
    ...marked('-', removed),
    ...marked('+', added),
    ...marked(' ', old.slice(old.length - bottom, old.length - bottom + AROUND)),
  ]
}

function commonLines(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((line, index) => line !== b[index])
  return at === -1 ? Math.min(a.length, b.length) : at
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) => `${mark} ${visibleText(line)}`.trimEnd())
}

const AROUND = 2
