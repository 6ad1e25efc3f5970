import { z } from 'zod'
import type { PendingQuestion } from '../../engine/engine.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Context } from '../operation/operation.ts'

export const ApprovalView = z.looseObject({
  id: z.string().describe('The approval_id for loopback.respond.'),
  short_id: z.string().optional().describe('Such as web.3; can be used as approval_id too.'),
  session_id: z.string(),
  session_name: z.string(),
  tool_name: z.string(),
  tool_use_id: z.string().optional(),
  input: z.record(z.string(), z.unknown()).describe('What would run.'),
  kind: z.enum(['tool', 'plan', 'question', 'form', 'budget']),
  questions: z.array(
    z.looseObject({ question: z.string(), options: z.array(z.string()), multi_select: z.boolean() }),
  ),
  cwd: z.string().optional().describe('The folder in which it would run.'),
  suggested_rules: z
    .array(z.string())
    .optional()
    .describe('What remember "suggested" would allow, besides this exact call.'),
  created_at: z.number().describe('Seconds since 1970.'),
  expires_at: z.number().optional().describe('When it is denied without an answer.'),
})
export type ApprovalView = z.infer<typeof ApprovalView>

export function approvalView(asked: PendingQuestion, { name }: Pick<Session, 'name'>): ApprovalView {
  const { id, sessionId, toolName, toolUseId, input, kind, questions, openedAt, expiresAt } = asked
  return {
    id,
    ...definedFields({ short_id: asked.shortId }),
    session_id: sessionId,
    session_name: name ?? sessionId,
    tool_name: toolName,
    ...definedFields({ tool_use_id: toolUseId }),
    input: { ...input },
    kind,
    questions: questions.map(({ question, header, options, descriptions, multiSelect }) => ({
      question,
      options: [...options],
      multi_select: multiSelect,
      ...definedFields({ header, descriptions }),
    })),
    ...definedFields({ cwd: asked.cwd }),
    ...(asked.suggestedRules.length > 0 ? { suggested_rules: [...asked.suggestedRules] } : {}),
    created_at: Math.floor(openedAt / 1_000),
    ...(expiresAt === undefined ? {} : { expires_at: Math.floor(expiresAt / 1_000) }),
  }
}

/** Views with the names of the asking sessions. */
export async function approvalViews(
  { engine, call }: Context,
  asked: readonly PendingQuestion[],
): Promise<ApprovalView[]> {
  const sessions = new Map<string, Session>()
  for (const { sessionId } of asked)
    if (!sessions.has(sessionId)) sessions.set(sessionId, await engine.getSession(call, { sessionId }))
  return asked.flatMap((question) => {
    const session = sessions.get(question.sessionId)
    return session ? [approvalView(question, session)] : []
  })
}
