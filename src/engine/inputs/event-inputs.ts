import { z } from 'zod'
import { selector, wholeNumber } from '../../base/input-fields.ts'
import { OneSession, params, sessionId } from './verb-input.ts'

const NO_SESSIONS = 'sessionIds may not be empty; leave it out to wait for any session.'
const MAX_AT_WORK = 1_000
const MAX_KNOWN = 1_000
const SECONDS = 'seconds must be a number, 0 or more.'

/** What happens in sessions: to read it, and to wait for it. */
export const EVENT_INPUTS = {
  listTurns: OneSession,
  readEvents: params({
    sessionId,
    after: wholeNumber('after', 0).optional(),
    reader: selector('reader').optional(),
    limit: wholeNumber('limit', 1).optional(),
  }),
  readTurn: params({
    sessionId,
    reader: selector('reader').optional(),
    turn: wholeNumber('turn', 0).optional(),
    from: wholeNumber('from', 0).optional(),
    limit: wholeNumber('limit', 0).optional(),
    skipTails: z.boolean('skipTails must be true or false.').optional(),
  }),
  waitFor: params({
    sessionIds: z.array(selector('sessionIds')).min(1, NO_SESSIONS).max(500).optional(),
    atWork: z
      .array(selector('atWork'))
      .max(MAX_AT_WORK, `atWork may have at most ${MAX_AT_WORK} entries.`)
      .optional(),
    seen: z.record(selector('seen'), wholeNumber('seen', 0)).optional(),
    known: z
      .array(selector('known'))
      .max(MAX_KNOWN, `known may have at most ${MAX_KNOWN} entries.`)
      .optional(),
    seconds: z.number(SECONDS).min(0, SECONDS),
  }),
}

/** The input schema of `followEvents`. */
export const FollowEvents = params({ sessionId, after: wholeNumber('after', 0) })
export type FollowEvents = z.infer<typeof FollowEvents>

/** The input schema of `followAll`. */
export const FollowAll = params({
  after: wholeNumber('after', 0).optional(),
  questions: z.boolean().optional(),
})
export type FollowAll = z.infer<typeof FollowAll>
