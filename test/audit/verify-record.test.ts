import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkpointNote } from '../../src/audit/checkpoint-note.ts'
import { reportLines } from '../../src/audit/record-report.ts'
import { type RecordKind, type RecordRow, rowAfter } from '../../src/audit/record-row.ts'
import { type CheckOptions, RecordCheck, type RecordItem } from '../../src/audit/verify-record.ts'
import { aSigner, recomputed, writtenRecord } from '../rig/tools/written-record.ts'

const signer = aSigner()
const { verifier } = signer
const CHECKPOINTS = [4, 8]

function reportOf(items: readonly RecordItem[], options: CheckOptions = { verifier }) {
  const check = new RecordCheck(options)
  for (const item of items) check.add(item)
  return check.report()
}

/** The items of a record whose rows were replaced by others; the checkpoints keep their places. */
function withRows(rows: readonly RecordRow[], notes: readonly string[], sizes = CHECKPOINTS): RecordItem[] {
  const items = rows.flatMap((row): RecordItem[] => {
    const note = notes[sizes.indexOf(row.number)]
    return note === undefined ? [{ row }] : [{ row }, { checkpoint: note }]
  })
  const beyond = sizes.flatMap((size, index) =>
    size > (rows.at(-1)?.number ?? 0) ? (notes[index] ?? []) : [],
  )
  return [...items, ...beyond.map((checkpoint) => ({ checkpoint }))]
}

describe('a record as it was written', () => {
  const { items, notes } = writtenRecord(10, { checkpoints: CHECKPOINTS })

  it('is anchored up to its last anchor, signed up to its last checkpoint, and chained up to its end', () => {
    const [first = ''] = notes
    expect(reportOf(items, { verifier, anchors: [first] })).toStrictEqual({
      rows: 10,
      first: 1,
      last: 10,
      anchored: 4,
      signed: 8,
      anchors: { given: 1, beforeCut: 0 },
      signaturesChecked: true,
    })
    expect(reportLines(reportOf(items, { verifier, anchors: [first] }))).toEqual([
      '10 rows, 1 to 10.',
      'Rows 1 to 4 are anchored.',
      'Rows 5 to 8 are signed, and not anchored.',
      'Rows 9 to 10 are chained, and not signed yet.',
      'The record is tamper-evident up to the last anchor, row 4.',
    ])
    const [without, how] = reportLines(reportOf(items)).slice(-2)
    expect(without).toContain('not anchored')
    expect(how).toContain('anchor_file')
  })

  it('is sound without rows, and without a key nothing of it is called signed', () => {
    expect(reportOf([])).toMatchObject({ rows: 0, first: 1, last: 0, signed: 0 })
    expect(reportOf([]).broken).toBeUndefined()
    expect(reportOf(items, {})).toMatchObject({ signed: 0, signaturesChecked: false })
  })

  it('is sound after the clock was set back, and the report says where', () => {
    const later = rowAfter({ number: 0, hash: '0'.repeat(64) }, { kind: 'read', at: 5_000, body: {} })
    const earlier = rowAfter(later, { kind: 'read', at: 1, body: {} })
    const report = reportOf([{ row: later }, { row: earlier }])
    expect(report.broken).toBeUndefined()
    expect(report.clockSetBack).toBe(2)
    const same = rowAfter(later, { kind: 'read', at: 5_000, body: {} })
    expect(reportOf([{ row: later }, { row: same }]).clockSetBack).toBeUndefined()
  })

  it('says in sentences what was found', () => {
    const base = { rows: 9, first: 1, last: 9, anchored: 0, signed: 0, anchors: { given: 0, beforeCut: 0 } }
    const lines = (more: object) => reportLines({ ...base, signaturesChecked: true, ...more }).slice(0, -2)
    expect(lines({ rows: 0, last: 0 })).toEqual(['The record has no rows.'])
    expect(lines({ broken: { number: 4, reason: 'why.' }, signed: 6 })).toEqual([
      'BROKEN at row 4: why.',
      '9 rows, 1 to 9.',
      'Rows 1 to 3 are signed, and not anchored.',
      'Rows 4 to 9 are broken, or after the broken row.',
    ])
    expect(lines({ first: 5, cut: 4, broken: { number: 1, reason: 'why.' } })).toEqual([
      'BROKEN at row 1: why.',
      '9 rows, 5 to 9.',
      'Rows 1 to 4 were cut by retention, as a signed row says.',
      'Rows 5 to 9 are broken, or after the broken row.',
    ])
    expect(lines({ signed: 8, clockSetBack: 3, signaturesChecked: false })).toEqual([
      '9 rows, 1 to 9.',
      'Rows 1 to 8 are signed, and not anchored.',
      'Row 9 is chained, and not signed yet.',
      'The clock was set back before row 3.',
      'No public key was given, so no signature was checked.',
    ])
    expect(lines({ signed: 9 })).toEqual(['9 rows, 1 to 9.', 'Rows 1 to 9 are signed, and not anchored.'])
  })
})

describe('S62: attacks on a record', () => {
  const { rows, notes, items } = writtenRecord(10, { checkpoints: CHECKPOINTS })
  const [, last = ''] = notes
  const anchored = { verifier, anchors: [last] }

  it('a row that was changed is the first bad row, in any of its fields', () => {
    const changes: Partial<RecordRow>[] = [
      { body: '{"approvalId":"q3 "}' },
      { at: 1 },
      { kind: 'settled' },
      { hash: 'ab'.repeat(32) },
      { previous: 'ab'.repeat(32) },
    ]
    for (const change of changes) {
      const changed = rows.map((row) => (row.number === 3 ? { ...row, ...change } : row))
      expect(reportOf(withRows(changed, notes)).broken?.number).toBe(3)
    }
  })

  it('a row that was changed, with all after it computed anew, differs from the next checkpoint', () => {
    const forged = recomputed(rows.map((row) => (row.number === 3 ? { ...row, body: '{}' } : row)))
    expect(reportOf(withRows(forged, notes)).broken?.number).toBe(4)
    // Without the checkpoints, nothing but an anchor shows it.
    const unsigned = forged.map((row) => ({ row }))
    expect(reportOf(unsigned).broken).toBeUndefined()
    expect(reportOf(unsigned)).toMatchObject({ signed: 0, anchored: 0 })
    expect(reportOf(unsigned, anchored).broken?.number).toBe(8)
  })

  it('a row that was dropped is missed, computed anew or not', () => {
    const left = rows.filter(({ number }) => number !== 5)
    expect(reportOf(withRows(left, notes)).broken).toMatchObject({ number: 5 })
    expect(reportOf(withRows(recomputed(left), notes)).broken?.number).toBe(8)
  })

  it('rows in another order are found, computed anew or not', () => {
    const [a, b, c, ...rest] = rows
    const turned = [a, c, b, ...rest].filter((row) => row !== undefined)
    expect(reportOf(turned.map((row) => ({ row }))).broken?.number).toBe(2)
    expect(reportOf(withRows(recomputed(turned), notes)).broken?.number).toBe(4)
  })

  it('a row that was appended is not signed, and a second row with a number breaks it', () => {
    const added = rowAfter(rows.at(-1) ?? rows[0]!, { kind: 'settled', at: 1, body: {} })
    expect(reportOf([...items, { row: added }])).toMatchObject({ last: 11, signed: 8 })
    expect(reportOf([...items, { row: rows[9]! }]).broken?.number).toBe(10)
  })

  it('a tail that was cut is missed by its checkpoint, or without that by an anchor; else it is not anchored', () => {
    const cut = rows.slice(0, 6)
    expect(reportOf(withRows(cut, notes)).broken?.number).toBe(7)
    const both = withRows(cut, notes.slice(0, 1), [4])
    expect(reportOf(both)).toMatchObject({ last: 6, signed: 4, anchored: 0 })
    expect(reportOf(both).broken).toBeUndefined()
    expect(reportOf(both, anchored).broken).toMatchObject({ number: 7 })
    expect(reportOf([], anchored).broken?.number).toBe(1)
    expect(reportOf([{ checkpoint: last }]).broken).toBeDefined()
  })

  it('a database that was rolled back is behind its anchor', () => {
    const earlier = writtenRecord(5, { checkpoints: [4] })
    expect(reportOf(earlier.items).broken).toBeUndefined()
    expect(reportOf(earlier.items, anchored).broken).toMatchObject({ number: 6 })
    // And so is one that continued in another way after that.
    const other = writtenRecord(12, { checkpoints: [4, 8, 12], mark: ' other' })
    expect(reportOf(other.items, anchored).broken?.number).toBe(8)
  })

  it('a checkpoint that was rewritten, dropped or moved is found', () => {
    const rewritten = last.replace('time 1970', 'time 1971')
    expect(rewritten).not.toBe(last)
    expect(reportOf(withRows(rows, [notes[0]!, rewritten])).broken?.number).toBe(5)
    expect(reportOf(withRows(rows, [last], [8])).broken?.number).toBe(1)
    expect(reportOf(withRows(rows, notes, [4, 9])).broken?.number).toBe(8)
    expect(reportOf(withRows(rows, ['no note at all'], [4])).broken?.number).toBe(1)
  })

  it('with another key everything can be written anew, and anchors or the public key show it', () => {
    const thief = aSigner(2)
    const forged = writtenRecord(10, { checkpoints: CHECKPOINTS, signer: thief, mark: ' forged' })
    expect(reportOf(forged.items, { verifier: thief.verifier }).broken).toBeUndefined()
    expect(reportOf(forged.items, { verifier: thief.verifier }).anchored).toBe(0)
    expect(reportOf(forged.items).broken?.number).toBe(1)
    expect(reportOf(forged.items, { verifier: thief.verifier, anchors: [last] }).broken?.number).toBe(1)
  })

  it('a row that follows from another row, with a hash of its own, is the first bad row', () => {
    const other = rowAfter({ number: 2, hash: 'ab'.repeat(32) }, { kind: 'asked', at: 3_000, body: {} })
    const { broken } = reportOf([...rows.slice(0, 2), other].map((row) => ({ row })))
    expect(broken).toEqual({ number: 3, reason: 'it does not follow from the row before it.' })
  })

  it('nothing that comes after the first bad row changes what is said of it', () => {
    const bad = rows.map((row) => (row.number === 3 ? { ...row, at: 1 } : row))
    const { broken, anchored: upTo } = reportOf(withRows(bad, notes), { verifier, anchors: notes })
    expect(broken).toEqual({ number: 3, reason: 'it was changed after it was written.' })
    expect(upTo).toBe(0)
    const late = rows.map((row) => (row.number === 6 ? { ...row, at: 1 } : row))
    expect(reportOf(withRows(late, notes), { verifier, anchors: notes })).toMatchObject({
      anchored: 4,
      signed: 4,
      broken: { number: 6 },
    })
  })

  it('an anchor beyond the first bad row counts up to the row before it', () => {
    const other = writtenRecord(10, { checkpoints: CHECKPOINTS, mark: ' other' })
    const { broken, anchored: upTo } = reportOf(items, { verifier, anchors: [notes[1]!, other.notes[1]!] })
    expect([broken?.number, upTo]).toEqual([8, 7])
  })

  it('a part that cannot be read is the row after the last one', () => {
    const check = new RecordCheck({ verifier })
    for (const row of rows.slice(0, 2)) check.add({ row })
    check.addUnreadable('line 3 is no row.')
    expect(check.report().broken).toEqual({ number: 3, reason: 'line 3 is no row.' })
  })

  it('a number that stands twice is found, also right after itself', () => {
    const twice = [rows[0]!, rows[1]!, rows[1]!].map((row) => ({ row }))
    expect(reportOf(twice).broken).toEqual({ number: 2, reason: 'a row with this number came before it.' })
  })

  it('a checkpoint of another record with the same key is none of this one', () => {
    const otherName = checkpointNote(
      { ...signer, verifier: { ...verifier, name: 'other-record' } },
      rows[3]!,
      { previous: undefined, at: 1 },
    )
    const found = reportOf([...rows.slice(0, 4).map((row) => ({ row })), { checkpoint: otherName }]).broken
    expect(found?.reason).toMatch(/not signed by the key of this record/)
  })

  it('a second checkpoint before the first row does not move the beginning', () => {
    const stubs = [{ checkpoint: notes[0]! }, { checkpoint: notes[1]! }]
    const left = rows.slice(8).map((row) => ({ row }))
    expect(reportOf([...stubs, ...left]).broken).toMatchObject({ number: 5 })
  })

  it('an earlier checkpoint after a later one is not in its place', () => {
    const early = checkpointNote(signer, rows[1]!, { previous: notes[0], at: 1 })
    const moved = [
      ...rows.slice(0, 4).map((row) => ({ row })),
      { checkpoint: notes[0]! },
      { checkpoint: early },
    ]
    expect(reportOf(moved).broken).toEqual({ number: 2, reason: 'its checkpoint is not in its place.' })
  })

  it('whatever one change is made to signed rows, the first bad row is never after it plus its checkpoint', () => {
    fc.assert(
      fc.property(
        // A row that is added after the last signed row is not signed, and no more can be said of it.
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('drop', 'change', 'double', 'swap', 'time'),
        fc.boolean(),
        (number, how, anew) => {
          const changed = attack(rows, number, how)
          const report = reportOf(withRows(anew ? recomputed(changed) : changed, notes))
          expect(report.broken).toBeDefined()
          // Computed anew it shows at the next checkpoint that covers it.
          expect(report.broken?.number).toBeLessThanOrEqual(number <= 4 && anew ? 8 : 9)
        },
      ),
    )
  })
})

function attack(rows: readonly RecordRow[], number: number, how: string): RecordRow[] {
  const index = number - 1
  const result = [...rows]
  const row = rows[index]!
  if (how === 'drop') result.splice(index, 1)
  if (how === 'change') result[index] = { ...row, body: '{"approvalId":"other"}' }
  if (how === 'double') result.splice(index, 0, row)
  if (how === 'swap') result.splice(index, 2, rows[index + 1]!, row)
  if (how === 'time') result[index] = { ...row, at: row.at + 1 }
  return result
}

/** Rows 1 to 4 are gone; row 9 says so, and a checkpoint was signed after it. */
function cutRecord({
  to = 4,
  signed = true,
  head,
  kind = 'cut',
}: { to?: number; signed?: boolean; head?: string; kind?: RecordKind } = {}): RecordItem[] {
  const { rows, notes } = writtenRecord(8, { checkpoints: [4, 8] })
  const cut = rowAfter(rows[7]!, {
    kind,
    at: 9_000,
    body: { to, head: head ?? rows[3]!.hash },
  })
  const left: RecordItem[] = [
    { checkpoint: notes[0]! },
    ...rows.slice(4).map((row) => ({ row })),
    { checkpoint: notes[1]! },
    { row: cut },
  ]
  if (signed) left.push({ checkpoint: checkpointNote(signer, cut, { previous: notes[1], at: 9_000 }) })
  return left
}

describe('a record that retention has cut', () => {
  it('is sound, and says what was cut', () => {
    expect(reportOf(cutRecord())).toMatchObject({ first: 5, last: 9, signed: 9, cut: 4 })
    expect(reportOf(cutRecord()).broken).toBeUndefined()
    const [note = ''] = writtenRecord(4, { checkpoints: [2, 4] }).notes
    expect(reportOf(cutRecord(), { verifier, anchors: [note] }).anchors).toEqual({ given: 1, beforeCut: 1 })
    const [, atCut = ''] = writtenRecord(4, { checkpoints: [2, 4] }).notes
    const { anchors, anchored } = reportOf(cutRecord(), { verifier, anchors: [atCut] })
    expect([anchors.beforeCut, anchored]).toEqual([0, 4])
  })

  it('is sound without a key too, where nothing of it is signed', () => {
    const rowsOnly = cutRecord().filter((item) => 'row' in item)
    expect(reportOf(rowsOnly, {}).broken).toBeUndefined()
    expect(reportOf(rowsOnly, {}).cut).toBe(4)
    const unsaid = rowsOnly.slice(0, -1)
    expect(reportOf(unsaid, {}).broken?.number).toBe(1)
    expect(reportOf(unsaid, {})).not.toHaveProperty('cut')
  })

  it('may have a row about a cut that is not its own', () => {
    const whole = writtenRecord(3).rows
    const cut = rowAfter(whole[2]!, { kind: 'cut', at: 9_000, body: { to: 1, head: whole[0]!.hash } })
    const report = reportOf([...whole, cut].map((row) => ({ row })))
    expect(report.broken).toBeUndefined()
    expect(report).not.toHaveProperty('cut')
  })

  it('is broken without its stub, or if the stub is another, or is not signed', () => {
    const items = cutRecord()
    const without = (index: number) => items.filter((_, at) => at !== index)
    expect(reportOf(without(0)).broken).toBeDefined() // the checkpoint that the cut ends with
    expect(reportOf(without(1)).broken?.number).toBe(5) // one row more than was cut
    expect(reportOf(cutRecord({ signed: false })).broken?.number).toBe(1)
    expect(reportOf(cutRecord({ to: 3 })).broken?.number).toBe(1)
    expect(reportOf(cutRecord({ kind: 'read' })).broken?.number).toBe(1) // only a cut says so
    expect(reportOf(cutRecord({ head: 'ab'.repeat(32) })).broken?.number).toBe(1)
    expect(reportOf(items.filter((item) => !('row' in item && item.row.kind === 'cut'))).broken).toBeDefined()
  })
})
