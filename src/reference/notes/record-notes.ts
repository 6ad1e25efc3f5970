import type { ErrorCode } from '../../base/errors.ts'
import type { VerbName } from '../../engine/verbs.ts'
import type { VerbNote } from './verb-note.ts'

type RecordVerb = Extract<VerbName, `${string}Record` | `${string}RecordRow`>

const ONLY_READERS: Partial<Record<ErrorCode, string>> = {
  forbidden: 'the caller is neither the operator nor a device of a person',
}
const ROW =
  '`number`, `at`, `kind`, `body`, `previous` (the hash of the row before) and `hash`. [RECORD.md](RECORD.md) says what a body holds.'

export const RECORD_NOTES: Readonly<Record<RecordVerb, VerbNote>> = {
  listRecord: {
    does: 'Lists rows of the record, newest first. That they were read is recorded too.',
    fields: {
      sessionId: 'Only rows about this session: its name, or its id, also after it was removed.',
      approvalId: 'Only rows about this question.',
      kind: 'Only rows of this kind.',
      before: 'Only rows with a smaller number.',
      limit: 'The most rows to return: 20 by default, at most 500.',
    },
    returns: `A list of rows: ${ROW}`,
    errors: ONLY_READERS,
    example: { kind: 'settled', limit: 50 },
  },
  getRecordRow: {
    does: 'Returns one row of the record, and the other rows about the same question.',
    fields: { number: 'The number of the row.' },
    returns: `\`row\` and \`related\`: ${ROW}`,
    errors: ONLY_READERS,
    example: { number: 17 },
  },
  exportRecord: {
    does: 'Returns a page of the whole record, oldest first, as `plexus audit verify` can check it elsewhere.',
    fields: {
      after: '`next` of the page before; 0 by default.',
      until: '`until` of the first page, so that all pages are of the same record.',
    },
    returns: '`lines` (each a row or a signed checkpoint as JSON), `until`, and `next` if there is more.',
    errors: ONLY_READERS,
    example: { after: 500, until: 1200 },
  },
  verifyRecord: {
    does: 'Checks the record: its chain, its signed checkpoints, and anchors that were kept elsewhere.',
    fields: { anchors: 'The text of a file of anchors: one checkpoint in each line.' },
    returns:
      '`rows`, `first`, `last`, `anchored` and `signed` (the last row that is), `broken` (the first bad row: `number`, `reason`), `cut`, `anchors`, `signaturesChecked` and `clockSetBack`.',
    errors: ONLY_READERS,
    example: {},
  },
}
