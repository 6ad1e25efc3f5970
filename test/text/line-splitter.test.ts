import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineSplitter, type SplitLine } from '../../src/text/line-splitter.ts'
import { runs } from '../rig/tools/property-runs.ts'

/** Splits the whole stream at once, the way that is too simple for chunks. */
function naiveLines(bytes: Buffer): { lines: SplitLine[]; rest: SplitLine | undefined; complete: number } {
  const parts: Buffer[] = []
  let start = 0
  for (const [at, byte] of bytes.entries()) {
    if (byte !== 10) continue
    parts.push(bytes.subarray(start, at))
    start = at + 1
  }
  parts.push(bytes.subarray(start))
  let end = 0
  const all = parts.map((part, at) => {
    const text = part.toString()
    end += part.length + 1
    return { text: at === 0 ? text.replace(/^\uFEFF/, '') : text, bytes: part.length, cut: false, end }
  })
  const last = all.pop()
  return {
    lines: all.filter((line) => !isBlank(line)),
    rest: last && isBlank(last) ? undefined : last,
    complete: start,
  }
}

const isBlank = ({ text }: SplitLine) => text === '' || text === '\r'

function chunksOf(bytes: Buffer, sizes: number[]): Buffer[] {
  const chunks: Buffer[] = []
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.subarray(start, start + size))
    start += size
  }
  return chunks
}

/** As many whole characters as fit. */
function beginningOf(text: string, maxBytes: number): string {
  let kept = ''
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > maxBytes) break
    kept += character
  }
  return kept
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const piece = fc.oneof(
  fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('\n', '\r\n', '\r', '\0', '\u2028', '\u2029', '\uFEFF', 'é', '€', '😀', '{"a":1}')
    .map((text) => Buffer.from(text)),
  fc
    .constantFrom([0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc3], [0xff], [0x80], [0xed, 0xa0, 0x80])
    .map((bytes) => Buffer.from(bytes)),
)
const stream = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.concat(pieces))
const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 })

test('any bytes in any chunks give the lines of the whole, and the offset is after a newline', () => {
  fc.assert(
    fc.property(stream, sizes, (bytes, sizesOfChunks) => {
      const splitter = new LineSplitter()
      const lines: SplitLine[] = []
      const reused = Buffer.alloc(12)
      let read = 0
      for (const chunk of chunksOf(bytes, sizesOfChunks)) {
        chunk.copy(reused)
        lines.push(...splitter.push(reused.subarray(0, chunk.length)))
        reused.fill(0xaa)
        expect(splitter.push(reused.subarray(0, 0))).toEqual([])
        read += chunk.length
        expect(splitter.completeBytes).toBe(bytes.subarray(0, read).lastIndexOf(10) + 1)
      }
      const expected = naiveLines(bytes)
      expect(lines).toEqual(expected.lines)
      expect(splitter.completeBytes).toBe(expected.complete)
      expect(splitter.end()).toEqual(expected.rest)
    }),
    { numRuns: runs(3000) },
  )
})

test('a line past the cap keeps its beginning and its length, whatever the chunks', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 8 })
  const limits = fc.record({
    maxLineBytes: fc.integer({ min: 1, max: 12 }),
    keepBytes: fc.integer({ min: 0, max: 8 }),
  })
  fc.assert(
    fc.property(texts, sizes, limits, (parts, sizesOfChunks, { maxLineBytes, keepBytes }) => {
      const bytes = Buffer.from(parts.map((text) => text.replaceAll('\n', ' ') + '\n').join(''))
      const splitter = new LineSplitter({ maxLineBytes, keepBytes })
      const lines = chunksOf(bytes, sizesOfChunks).flatMap((chunk) => splitter.push(chunk))
      const expected = naiveLines(bytes).lines.map((line) =>
        line.bytes > maxLineBytes
          ? { ...line, text: beginningOf(line.text, Math.min(keepBytes, maxLineBytes)), cut: true }
          : line,
      )
      expect(lines).toEqual(expected)
      expect(splitter.completeBytes).toBe(bytes.length)
    }),
    { numRuns: runs(3000) },
  )
})

test('U+2028, U+2029, a lone CR and NUL are part of a line', () => {
  const text = '{"a":"\u2028\u2029"}\rx\0y'
  expect(new LineSplitter().push(Buffer.from(text + '\n'))).toEqual([
    { text, bytes: Buffer.byteLength(text), cut: false, end: Buffer.byteLength(text) + 1 },
  ])
})

test('a byte order mark is dropped at the start of the stream only', () => {
  const splitter = new LineSplitter()
  const bytes = Buffer.from('\uFEFFa\n\uFEFFb\n')
  const lines = chunksOf(bytes, [1]).flatMap((chunk) => splitter.push(chunk))
  expect(lines.map((line) => line.text)).toEqual(['a', '\uFEFFb'])
})

test('an unfinished line past the cap does not grow in memory', () => {
  const splitter = new LineSplitter({ maxLineBytes: 1024 * 1024 })
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const before = process.memoryUsage().arrayBuffers
  for (let sent = 0; sent < 16_384; sent++) splitter.push(chunk) // 1 GiB
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
  expect(splitter.end()).toMatchObject({ text: 'x'.repeat(4096), bytes: 1024 * 1024 * 1024, cut: true })
})

test('a line of 10 MB in small chunks comes out whole', () => {
  const text = JSON.stringify('äöü€😀'.repeat(600_000))
  const splitter = new LineSplitter()
  const lines = chunksOf(Buffer.from(text + '\n{}\n'), [65_536, 7, 4096]).flatMap((chunk) =>
    splitter.push(chunk),
  )
  expect(lines.map((line) => hash(line.text))).toEqual([hash(text), hash('{}')])
})
