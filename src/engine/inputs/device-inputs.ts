import { z } from 'zod'
import { selector } from '../../base/input-fields.ts'
import { DEVICE_SCOPES } from '../../callers/device-scope.ts'
import { NoticeChoice } from '../../notices/notice-settings.ts'
import { params } from './verb-input.ts'

const SECONDS_AT_MOST = 'seconds may be at most 50.'
const SECONDS = 'seconds must be a number, 0 or more.'

/** Browsers of a person, and what they are notified of. */
export const DEVICE_INPUTS = {
  inviteDevice: params({
    scope: z.enum(DEVICE_SCOPES, `scope must be one of ${DEVICE_SCOPES.join(', ')}.`),
    confirm: z.literal(true, 'confirm must be true, or left out.').optional(),
  }),
  awaitDevice: params({
    code: selector('code'),
    seconds: z.number(SECONDS).min(0, SECONDS).max(50, SECONDS_AT_MOST),
  }),
  confirmDevice: params({
    code: selector('code'),
    decision: z.enum(['accept', 'refuse'], 'decision must be accept or refuse.'),
  }),
  listDevices: params({}),
  removeDevice: params({ name: selector('name') }),
  readNotices: params({}),
  setNotices: params(NoticeChoice.shape),
}
