import { z } from 'zod'
import { ASKS, INVALID_ASK } from '../../base/ask-setting.ts'
import { SessionId } from '../../base/ids.ts'
import { selector, wholeNumber } from '../../base/input-fields.ts'
import { MAX_TIMER_MS } from '../../base/limits.ts'
import { argumentText, freeText } from '../../child/launch/argument-text.ts'
import { SessionName, StartOptions } from '../../child/launch/start-options.ts'
import { Command } from '../../events/session-event.ts'
import { SessionStatus } from '../../sessions/record/session.ts'
import { promptContent } from './prompt-content.ts'
import { MODES, OneSession, params, sessionId } from './verb-input.ts'

const MAX_PATH = 4_096

/** Sessions: to start, find, name, steer and end them. */
export const SESSION_INPUTS = {
  createSession: params({
    options: StartOptions.prefault({}),
    timeoutMs: wholeNumber('timeoutMs', 0, MAX_TIMER_MS).optional(),
    answerers: z.enum(['anyone', 'person'], 'answerers must be anyone or person.').optional(),
    ask: z.enum(ASKS, INVALID_ASK).optional(),
    resume: SessionId.optional(),
    content: promptContent('content').optional(),
  }),
  startTurn: params({ sessionId, content: promptContent('content').optional(), command: Command.optional() }),
  getSession: OneSession,
  listSessions: params({
    status: z.array(SessionStatus).max(SessionStatus.options.length).optional(),
    limit: wholeNumber('limit', 1).optional(),
    before: z.strictObject({ updatedAt: z.number(), id: selector('before.id') }).optional(),
  }),
  listConversations: params({
    workingDirectory: argumentText('workingDirectory').optional(),
    limit: wholeNumber('limit', 1).optional(),
    before: z.strictObject({ updatedAt: z.number(), sessionId: selector('before.sessionId') }).optional(),
  }),
  renameSession: params({ sessionId, name: SessionName }),
  deleteSession: params({ sessionId, stop: z.literal(true, 'stop must be true, or left out.').optional() }),
  interrupt: OneSession,
  setMode: params({
    sessionId,
    mode: z.enum(MODES, `mode must be one of ${MODES.join(', ')}.`),
    interrupt: z.literal(true, 'interrupt must be true, or left out.').optional(),
  }),
  setModel: params({
    sessionId,
    model: argumentText('model').max(200, 'model may have at most 200 characters.'),
  }),
  fork: params({
    sessionId,
    nodeId: z.uuid('nodeId must be a UUID.').optional(),
    name: StartOptions.shape.name,
  }),
  tree: OneSession,
  history: OneSession,
  stopSession: OneSession,
  listFolders: params({
    path: freeText('path').max(MAX_PATH, `path may have at most ${MAX_PATH} characters.`),
  }),
}
