import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anchorLine, checkpointIn, notesIn } from '../../src/audit/checkpoint-note.ts'
import { CSV_HEADER, csvLine } from '../../src/audit/csv-lines.ts'
import { exportLine, itemOfLine } from '../../src/audit/export-lines.ts'
import { NO_ROWS, rowAfter } from '../../src/audit/record-row.ts'
import { noteVerifier } from '../../src/audit/signed-note.ts'
import { canonicalJson } from '../../src/text/canonical-json.ts'
import { aSigner, writtenRecord } from '../rig/tools/written-record.ts'
import { codePoint } from '../rig/tools/code-point.ts'

describe('canonical JSON', () => {
  test('is the same for the same value, whatever the order of its keys, and means that value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 300 }), (text) => {
        expect(canonicalJson(text)).toBe(JSON.stringify(text))
        expect(canonicalJson({ [text]: 1 })).toBe(`{${JSON.stringify(text)}:1}`)
      }),
    )
    for (let code = 0; code < 0x180; code += 1) {
      const text = String.fromCharCode(code)
      expect(canonicalJson(text)).toBe(JSON.stringify(text))
    }
    expect(canonicalJson([undefined, '', Number.NaN, []])).toBe('[null,"",null,[]]')
    expect(canonicalJson({ b: 1, a: { d: undefined, c: [2, { z: 1, y: 2 }] } })).toBe(
      canonicalJson({ a: { c: [2, { y: 2, z: 1 }] }, b: 1 }),
    )
  })
})

describe('a signed note', () => {
  const signer = aSigner()

  test('is opened by the key that signed it, also from its public text, and by no other', () => {
    const note = signer.sign('one\ntwo\n')
    expect(noteVerifier(signer.verifier.text).open(note)).toBe('one\ntwo\n')
    expect(aSigner(2).verifier.open(note)).toBeUndefined()
    expect(aSigner(1, 'other-name').verifier.open(note)).toBeUndefined()
    expect(() => noteVerifier('no key')).toThrow('no key of a record')
    expect(() => noteVerifier(signer.verifier.text.replace(/\+[0-9a-f]{8}\+/, '+00000000+'))).toThrow(
      'no key of a record',
    )
  })

  test('is not opened after any change to it', () => {
    const note = signer.sign('plexus\n17\n')
    fc.assert(
      fc.property(fc.nat(note.length - 1), fc.string({ maxLength: 2 }), (place, text) => {
        const changed = note.slice(0, place) + text + note.slice(place + 1)
        const opened = signer.verifier.open(changed)
        // Base64 has characters that decode to nothing; the text is what counts.
        expect([undefined, 'plexus\n17\n']).toContain(opened)
        const isTextChanged = place < 'plexus\n17\n'.length && changed !== note
        expect(isTextChanged && opened !== undefined).toBe(false)
      }),
    )
  })

  test('of a checkpoint is found in any log, and a text that is none is not', () => {
    const { notes, rows } = writtenRecord(3, { checkpoints: [2, 3] })
    const log = notes.map((note, n) => `Nov 17 0${n} box plexus[1]: ${anchorLine(note)} (end)`).join('\n')
    expect(notesIn(`{"other":1}\n${log}\n{"checkpoint":"cut o`)).toEqual(notes)
    expect(checkpointIn(notes[0] ?? '')).toMatchObject({ size: 2, head: rows[1]?.hash, at: 2_000 })
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => [checkpointIn(text), notesIn(text)]).not.toThrow()
      }),
    )
  })
})

const body = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 })

describe('a line of an export', () => {
  test('is the row again, whatever a child has put into it, and does nothing to a terminal', () => {
    fc.assert(
      fc.property(body, fc.nat(), (fields, at) => {
        const row = rowAfter(NO_ROWS, { kind: 'asked', at, body: fields })
        const line = exportLine({ row })
        // oxlint-disable-next-line no-control-regex -- these are what must not be there
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
        expect(itemOfLine(line)).toEqual({ row })
      }),
    )
    const proto = rowAfter(NO_ROWS, { kind: 'asked', at: 1, body: { ['__proto__']: '' } })
    expect(itemOfLine(exportLine({ row: proto }))).toEqual({ row: proto })
    const hostile = rowAfter(NO_ROWS, {
      kind: 'asked',
      at: 1,
      body: { text: '\u001b[2J\u202e\u2028\n\u009b' },
    })
    expect(exportLine({ row: hostile })).toMatch(/^[\x20-\x7e]+$/)
    expect(itemOfLine(exportLine({ row: hostile }))).toEqual({ row: hostile })
  })

  test('is refused if it is anything else', () => {
    const [row] = writtenRecord(1).items.map(exportLine)
    for (const line of [
      '',
      '{}',
      '[]',
      'x',
      '{"checkpoint":1}',
      row?.replace('"kind":"asked"', '"kind":"a\\nb"'),
    ])
      expect(itemOfLine(line ?? '')).toBeUndefined()
    expect(
      itemOfLine(`${row?.slice(0, -3)}"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`),
    ).toBeUndefined()
  })
})

describe('a line of an export', () => {
  const { items, notes, rows } = writtenRecord(2, { checkpoints: [2] })

  test('is a checkpoint too', () => {
    const lines = items.map(exportLine)
    expect(lines.map(itemOfLine)).toEqual([{ row: rows[0] }, { row: rows[1] }, { checkpoint: notes[0] }])
    expect(lines[2]).toMatch(/^\{"checkpoint":"/)
  })

  test.each([
    ['a number of 0', '"number":2', '"number":0'],
    ['a number that is not whole', '"number":2', '"number":2.5'],
    ['no time', '1970-01-01', '1970-13-01'],
    ['a body that is a list', /"body":.*/, '"body":[]}'],
    ['a body that is a text', /"body":.*/, '"body":"x"}'],
    ['no body', /"body":.*/, '"body":null}'],
    ['one field more', '"number"', '"more":1,"number"'],
  ])('is refused with %s', (_, part, instead) => {
    const line = exportLine({ row: rows[1]! })
    expect(itemOfLine(line)).toBeDefined()
    expect(itemOfLine(line.replace(part, instead))).toBeUndefined()
  })
})

test('a line of CSV has the fields of the body in their columns', () => {
  const recorded = { session: 's1', tool: 'Bash', by: "ann's phone", status: 'a-b', cwd: '/a b', mode: 5 }
  const row = rowAfter(NO_ROWS, { kind: 'asked', at: 0, body: recorded })
  const names = CSV_HEADER.split(',')
  const cells = cellsOf(csvLine(row))
  const cell = (name: string) => cells[names.indexOf(name)]
  expect(
    ['number', 'time', 'kind', 'session', 'owner', 'tool', 'cwd', 'mode', 'status', 'by', 'hash'].map(cell),
  ).toEqual([
    '1',
    '1970-01-01T00:00:00.000Z',
    'asked',
    's1',
    '',
    'Bash',
    '/a b',
    '5',
    'a-b',
    "ann's phone",
    row.hash,
  ])
  expect(csvLine(row)).toContain(',Bash,/a b,5,a-b,"ann\'s phone",')
})

test('a line of CSV has one cell for each column, and no cell that a spreadsheet would run', () => {
  const commands = ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\t=1', 'a,"b"\nc']
  for (const tool of commands) {
    const cells = cellsOf(csvLine(rowAfter(NO_ROWS, { kind: 'asked', at: 1, body: { tool } })))
    expect(cells).toHaveLength(CSV_HEADER.split(',').length)
    for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  }
})

/** As a reader of CSV splits a line. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
    (quoted ?? plain ?? '').replaceAll('""', '"'),
  )
}
