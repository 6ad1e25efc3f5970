import { z } from 'zod'
import { RECORD_KINDS } from '../../audit/record-row.ts'
import { selector, wholeNumber } from '../../base/input-fields.ts'
import { params, sessionId } from './verb-input.ts'

const MAX_ANCHORS = 8_000_000

/** The record of who allowed what. */
export const RECORD_INPUTS = {
  listRecord: params({
    sessionId: sessionId.optional(),
    approvalId: selector('approvalId').optional(),
    kind: z.enum(RECORD_KINDS, `kind must be one of ${RECORD_KINDS.join(', ')}.`).optional(),
    before: wholeNumber('before', 1).optional(),
    limit: wholeNumber('limit', 1).optional(),
  }),
  getRecordRow: params({ number: wholeNumber('number', 1) }),
  exportRecord: params({
    after: wholeNumber('after', 0).optional(),
    until: wholeNumber('until', 0).optional(),
  }),
  verifyRecord: params({
    anchors: z
      .string('anchors must be the text of a file of anchors.')
      .max(
        MAX_ANCHORS,
        'anchors may have at most 8000000 characters; plexus audit verify takes larger files.',
      )
      .optional(),
  }),
}
