/** What the real CLI printed, as `test/programs/record-lines.ts` recorded it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SplitLine } from '../../../src/text/line-splitter.ts'

type Printed = Omit<SplitLine, 'end'>

const folder = join(import.meta.dirname, '../../fixtures/cli-lines')

export const VERSIONS = ['2.1.197', '2.1.325'] as const
export type Version = (typeof VERSIONS)[number]

export function storiesOf(version: Version): string[] {
  return readdirSync(join(folder, version)).map((file) => file.replace('.jsonl', ''))
}

export function recording(version: Version, story: string): Printed[] {
  const text = readFileSync(join(folder, version, `${story}.jsonl`), 'utf8')
  return text.split('\n').slice(0, -1).map(lineFrom)
}

export function lineFrom(text: string): Printed {
  return { text, bytes: Buffer.byteLength(text), cut: false }
}
