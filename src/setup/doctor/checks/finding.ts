/** `fix` must be done, `note` is worth knowing, `ok` is as it should be. */
export type Level = 'ok' | 'note' | 'fix'

/** One sentence or two about one thing: how it is, and what to do. */
export interface Outcome {
  readonly level: Level
  readonly text: string
}

export interface Finding extends Outcome {
  /** What was checked, in a word. */
  readonly check: string
}

export const ok = (text: string): Outcome => ({ level: 'ok', text })
export const note = (text: string): Outcome => ({ level: 'note', text })
export const fix = (text: string): Outcome => ({ level: 'fix', text })

/** `12 MB`, `3.4 GB`. */
export function size(bytes: number): string {
  return bytes < GIB ? `${Math.ceil(bytes / MIB)} MB` : `${(bytes / GIB).toFixed(1)} GB`
}

const MIB = 1 << 20
const GIB = 1 << 30

/** `1 session`, `3 sessions`. */
export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
