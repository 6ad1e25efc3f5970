/** What a check of the record has found. Rows are anchored, or only signed, or not yet signed, or broken. */
export interface RecordReport {
  readonly rows: number
  /** The numbers of the first and the last row that is there; 1 and 0 if there is none. */
  readonly first: number
  readonly last: number
  /** Rows up to this number are as they were when an anchor outside was written; 0 if none is. */
  readonly anchored: number
  /** Rows up to this number are as they were when the last checkpoint was signed. */
  readonly signed: number
  /** The first row that is not as it was written, and why. Nothing is known of it and of the rows after it. */
  readonly broken?: BrokenRow | undefined
  /** Rows up to this number were cut by retention, as a signed row says. */
  readonly cut?: number | undefined
  readonly anchors: {
    readonly given: number
    /** Those of rows that were cut since: they cannot be compared with a row. */
    readonly beforeCut: number
  }
  /** False if no public key was at hand: then `signed` is 0, and the anchors are only compared. */
  readonly signaturesChecked: boolean
  /** The first row whose time is before that of its predecessor: the clock was set back. That breaks nothing. */
  readonly clockSetBack?: number | undefined
}

export interface BrokenRow {
  readonly number: number
  readonly reason: string
}

/** The report in sentences, for a person. */
export function reportLines(report: RecordReport): string[] {
  const { rows, first, last, anchored, signed, broken, cut, clockSetBack } = report
  const sound = broken ? Math.max(first, broken.number) - 1 : last
  const onlySigned = Math.max(Math.min(signed, sound), anchored)
  return [
    ...(broken ? [`BROKEN at row ${broken.number}: ${broken.reason}`] : []),
    rows === 0 ? 'The record has no rows.' : `${rows} rows, ${first} to ${last}.`,
    ...(cut === undefined ? [] : [`Rows 1 to ${cut} were cut by retention, as a signed row says.`]),
    ...rangeLine(first, anchored, 'anchored'),
    ...rangeLine(Math.max(first, anchored + 1), onlySigned, 'signed, and not anchored'),
    ...rangeLine(Math.max(first, onlySigned + 1), sound, 'chained, and not signed yet'),
    ...(broken ? rangeLine(Math.max(first, sound + 1), last, 'broken, or after the broken row') : []),
    ...(clockSetBack === undefined ? [] : [`The clock was set back before row ${clockSetBack}.`]),
    ...(report.signaturesChecked ? [] : ['No public key was given, so no signature was checked.']),
    ...(anchored > 0
      ? [`The record is tamper-evident up to the last anchor, row ${anchored}.`]
      : [
          'The record is not anchored: whoever has this account could have written all of it anew.',
          HOW_TO_ANCHOR,
        ]),
  ]
}

const HOW_TO_ANCHOR =
  'To anchor it, set anchor_file in config.json to a file on another disk, then give that file: plexus audit verify --anchors FILE (docs/RECORD.md).'

function rangeLine(from: number, to: number, what: string): string[] {
  if (to < from) return []
  return [from === to ? `Row ${from} is ${what}.` : `Rows ${from} to ${to} are ${what}.`]
}
