import { inPairs, speedOf, type Figure } from './harness/figure.ts'
import { parseWhole, splitAndParse } from './line-splitting.ts'

export const figure: Figure = {
  id: 'long-line-splitting',
  title: 'lines of 10 MB in 64 KiB chunks, split and parsed',
  reference: 'decode the whole, split, JSON.parse',
  unit: 'MB/s',
  goal: { min: 1 },
  async run() {
    const content = Array.from(
      { length: 10_000 },
      (_, at) => `${at}: ${'a line of a file, as a tool shows it\n'.repeat(26)}`,
    )
    const line = JSON.stringify({ type: 'user', message: { role: 'user', content } }) + '\n'
    const bytes = Buffer.from(line.repeat(5))
    return await inPairs(
      40,
      speedOf(bytes.length, () => splitAndParse(bytes)),
      speedOf(bytes.length, () => parseWhole(bytes)),
    )
  },
}
