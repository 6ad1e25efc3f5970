import { z } from 'zod'
import { SessionId } from '../../base/ids.ts'
import { wholeNumber } from '../../base/input-fields.ts'
import { argumentText } from '../../child/launch/argument-text.ts'
import { OneSession, params, sessionId } from './verb-input.ts'

const to = z.enum(['command', 'terminal'], 'to must be command or terminal.')

/** A `claude` that a person starts outside, with a session of ours. */
export const OUTSIDE_INPUTS = {
  permitConfig: OneSession,
  commandConfig: params({ sessionId, to: to.optional() }),
  judgeCall: params({ hookInput: z.record(z.string(), z.unknown(), 'hookInput must be an object.') }),
  handOver: params({
    sessionId,
    to,
    pid: wholeNumber('pid', 1),
    stop: z.literal(true, 'stop must be true, or left out.').optional(),
  }),
  returnSession: params({
    sessionId,
    pid: wholeNumber('pid', 1),
    exitCode: wholeNumber('exitCode', 0).optional(),
    signal: argumentText('signal').max(20, 'signal is the name of one.').optional(),
    cliSessionId: SessionId.optional(),
  }),
}
