import { z } from 'zod'
import type { Approval } from '../../approvals/approval.ts'
import { Answer } from '../../approvals/answer.ts'
import { VIAS } from '../../base/answer-via.ts'
import { Level } from '../../events/session-event.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { openObject } from '../operation/listed-schema.ts'
import { KeptView, keptView } from '../views/remembered-view.ts'
import { strictFields, selector } from '../../base/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { STATUS, StatusName } from './status-view.ts'

const SHAPE = {
  sessionId: selector('sessionId', 'The id (or name) of the session.'),
  id: selector('id', 'pendingQuestion.id (the id of the tool use will do too).'),
  answers: z
    .array(
      z.string('answers must be a list of texts.'),
      'answers must be a list of texts, such as ["allow"].',
    )
    .min(1, 'answers may not be empty: give one for each question.')
    .describe(
      'One for each question, such as ["allow"], ["deny"], ["approve"], ["OAuth2", "Yes"]; several choices of one are joined by ", ".',
    ),
  message: z.string('message must be text.').optional().describe('A reason or a note; the session reads it.'),
  updatedInput: Answer.shape.updatedInput,
  inputSha256: Answer.shape.inputSha256.describe(
    'The inputSha256 that you were shown: refused if it is not what would run.',
  ),
  content: Answer.shape.content,
  permissionMode: Answer.shape.permissionMode.describe('With the approval of a plan: the mode to go on in.'),
  remember: Answer.shape.remember.describe(
    '"session": this very call, in its folder, needs no answer any more in this session. "suggested": nor does what the suggestedRules match.',
  ),
}

const RUN_THIS = 'Run this in place of pendingQuestion.input: all fields of it.'
const FILLED_IN = 'With accept: the fields of the form.'

export const respond = defineOperation({
  name: 'claude_respond',
  title: 'Answer a question of a session',
  description:
    'Answers a question that claude_status showed (tool use, plan, questions, form): one answer for each question, taken from its options; for type question any text will do. ' +
    'An answer counts once; if somebody else was first you are told who and how. Afterwards call claude_status to wait for what comes next.',
  input: strictFields(SHAPE),
  listed: strictFields({
    ...SHAPE,
    updatedInput: openObject('command', RUN_THIS),
    content: openObject('name', FILLED_IN),
  }),
  output: z.looseObject({
    sessionId: z.string(),
    status: StatusName,
    id: z.string(),
    decision: z.enum(['allowed', 'denied']),
    by: z.string(),
    level: Level.optional().describe(
      'From which level above the session that was: 0 is who is right above it; owner; person.',
    ),
    via: z.enum(VIAS).optional(),
    remembered: KeptView.optional(),
    hint: z.string(),
  }),
  hints: { destructiveHint: true, openWorldHint: true },
  run: async ({ engine, who }, { id: approvalId, sessionId, ...answer }) => {
    const settled = await engine.answer(who, { approvalId, sessionId, ...answer })
    const session = await engine.getSession(who, { sessionId })
    return {
      sessionId: session.id,
      // The child has not gone on yet, but it will: it has its answer.
      status: session.status === 'waiting' ? STATUS.waiting : ('active' as const),
      id: settled.id,
      decision: decisionOf(settled),
      by: settled.by ?? '',
      ...definedFields({ level: settled.level, via: settled.via, remembered: keptView(settled) }),
      hint:
        session.status === 'waiting'
          ? 'It has more questions: call claude_status.'
          : 'Wait for what comes next with claude_status.',
    }
  },
})

function decisionOf({ status }: Approval): 'allowed' | 'denied' {
  return status === 'allowed' ? 'allowed' : 'denied'
}
