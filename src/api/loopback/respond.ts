import { z } from 'zod'
import { Answer } from '../../approvals/answer.ts'
import { AppError } from '../../base/errors.ts'
import { Remember } from '../../approvals/grants/remember.ts'
import { strictFields, selector } from '../../base/input-fields.ts'
import { VIAS } from '../../base/answer-via.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { openObject } from '../operation/listed-schema.ts'
import { RememberedView, rememberedView } from '../views/remembered-view.ts'
import { definePlexusOperation } from '../operation/plexus-operation.ts'

const yesOrNo = (field: string) => z.boolean(`${field} must be true or false.`).optional()

const SHAPE = {
  approval_id: selector('approval_id', 'The id of the approval; with session_id a tool_use_id works too.'),
  session_id: selector('session_id', 'The asking session; only needed with a tool_use_id.').optional(),
  approve: yesOrNo('approve').describe('true to allow, false to deny.'),
  allow: yesOrNo('allow').describe('The same as approve.'),
  answers: z
    .array(z.string('answers must be a list of texts.'), 'answers must be a list of texts.')
    .min(1, 'answers may not be empty: give one for each question.')
    .optional()
    .describe('One for each of its questions, instead of approve.'),
  message: z.string('message must be text.').optional().describe('A reason or a note; the session reads it.'),
  updated_input: z.record(z.string(), z.unknown(), 'updated_input must be an object.').optional(),
  remember: z
    .union(
      [Remember, z.boolean()],
      'remember must be "turn", "session", "suggested", "tree", "folder", "always", true or false.',
    )
    .optional()
    .describe(
      '"session" or true: this exact call, in the same folder, needs no answer from now on in this session; "turn": until the turn ends. "suggested": neither do calls that match its suggested_rules. "tree", "folder" and "always" are for a person.',
    ),
  remember_seconds: Answer.shape.rememberSeconds.describe('With remember: for how long.'),
  remember_rule: Answer.shape.rememberRule.describe(
    'With remember: the id of one of its offered_rules (loopback.pending with offers_for), in place of this exact call.',
  ),
  permission_mode: Answer.shape.permissionMode.describe(
    'With the approval of a plan: the mode to continue in.',
  ),
  content: Answer.shape.content,
}

const RUN_THIS = 'Run this instead of its input: all of its fields.'
const FILLED_IN = 'With accept: the fields of the form.'

export const respond = definePlexusOperation({
  name: 'loopback.respond',
  title: 'Answer a question of a session',
  description:
    'Answers one of the pending_approvals of claudecode.poll or loopback.pending: approve true or false, or, if kind is question or form, answers. Check its input first: that is what runs. A question is settled once; if somebody else was first, the error says who and how. Then poll again.',
  input: strictFields(SHAPE),
  listed: strictFields({
    ...SHAPE,
    updated_input: openObject('command', RUN_THIS),
    content: openObject('name', FILLED_IN),
  }),
  output: z.looseObject({
    type: z.literal('ok'),
    approval_id: z.string(),
    decision: z.enum(['allowed', 'denied']),
    by: z.string(),
    via: z.enum(VIAS).optional(),
    remembered: RememberedView.optional(),
  }),
  hints: { destructiveHint: true, openWorldHint: true },
  run: async ({ engine, call, memory }, input) => {
    const { approval_id: approvalId, session_id: sessionId, answers, message, content } = input
    const approve = input.approve ?? input.allow
    if (input.approve !== undefined && input.allow !== undefined && input.approve !== input.allow)
      throw new AppError('invalid_input', 'approve and allow contradict each other; give only one of them.', {
        data: { field: 'approve' },
      })
    const settled = await engine.answer(call, {
      approvalId,
      sessionId,
      approve,
      answers,
      message,
      content,
      updatedInput: input.updated_input,
      permissionMode: input.permission_mode,
      rememberSeconds: input.remember_seconds,
      rememberRule: input.remember_rule,
      remember: input.remember === true ? 'session' : input.remember || undefined,
    })
    memory?.noteAnswered(settled.id)
    return {
      type: 'ok' as const,
      approval_id: settled.id,
      decision: settled.status === 'allowed' ? ('allowed' as const) : ('denied' as const),
      by: settled.by ?? '',
      ...definedFields({ via: settled.via, remembered: rememberedView(settled) }),
    }
  },
})
