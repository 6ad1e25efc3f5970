import { z } from 'zod'
import { isAtWork } from '../../sessions/record/at-work.ts'
import { argumentText } from '../../child/launch/argument-text.ts'
import type { Conversation } from '../../engine/conversations.ts'
import { AppError } from '../../base/errors.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { strictFields, selector, wholeNumber } from '../../base/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { shortenText } from '../views/shorten-text.ts'
import { folderFrom } from '../operation/start-input.ts'
import { FENCE, STATUS, StatusName } from './status-view.ts'

const Listed = z.looseObject({
  sessionId: z.string(),
  projectDirectory: z.string(),
  displayText: z.string(),
  timestamp: z.string(),
  isActive: z.boolean().describe('It is a session of this server, and it is at work or waits for an answer.'),
  activeStatus: StatusName.optional(),
  name: z.string().optional(),
  openElsewhere: z
    .number()
    .optional()
    .describe(
      'The id of another process that has it open; end that process before you resume it, or resume a copy (fork).',
    ),
})

export const list = defineOperation({
  name: 'claude_list',
  title: 'List conversations',
  description:
    'Lists Claude Code conversations of this machine, newest first: sessions started here and those from a terminal. claude_say resumes each.',
  input: strictFields({
    workingDirectory: argumentText('workingDirectory')
      .describe('Only conversations of this folder.')
      .optional(),
    limit: wholeNumber('limit', 1, 500, 'How many; 50 by default.').default(50),
    cursor: selector('cursor', 'nextCursor of the page before.').optional(),
  }),
  output: z.looseObject({
    sessions: z.array(Listed),
    nextCursor: z.string().optional(),
    note: z.string().optional(),
  }),
  hints: { readOnlyHint: true, idempotentHint: true },
  run: async (context, { workingDirectory: named, limit, cursor }) => {
    const { engine, call } = context
    const workingDirectory = named === undefined ? undefined : folderFrom(context, named)
    const before = cursor === undefined ? undefined : parseCursor(cursor)
    const found = await engine.listConversations(call, { workingDirectory, limit, before })
    const last = found.at(-1)
    const nextCursor = found.length === limit && last ? `${last.updatedAt}/${last.sessionId}` : undefined
    const note = last ? FENCE : undefined
    return { sessions: found.map(listedView), ...definedFields({ nextCursor, note }) }
  },
})

function listedView({ sessionId, workingDirectory, title, updatedAt, session, openIn }: Conversation) {
  return {
    sessionId,
    projectDirectory: workingDirectory,
    displayText: shortenText(title, DISPLAY_CHARACTERS),
    timestamp: new Date(updatedAt).toISOString(),
    // What a person does in a terminal is not this server's.
    isActive: session !== undefined && !session.terminal && isAtWork(session),
    ...definedFields({
      activeStatus: session && STATUS[session.status],
      name: session?.name,
      openElsewhere: openIn ?? (session?.outside?.to === 'terminal' ? session.outside.pid : undefined),
    }),
  }
}

function parseCursor(cursor: string) {
  const [, updatedAt, sessionId] = /^([\d.]+)\/([\w-]+)$/.exec(cursor) ?? []
  if (updatedAt === undefined || sessionId === undefined)
    throw new AppError('invalid_input', 'cursor must be the nextCursor of the page before.')
  return { updatedAt: Number(updatedAt), sessionId }
}

const DISPLAY_CHARACTERS = 160
