import { z } from 'zod'
import { alreadySettledError } from '../../approvals/already-settled-error.ts'
import type { Answered, Approval } from '../../approvals/approval.ts'
import { Answer } from '../../approvals/answer.ts'
import { VIAS } from '../../base/answer-via.ts'
import { AppError } from '../../base/errors.ts'
import type { SessionKey } from '../../base/ids.ts'
import { Level } from '../../events/approval-fields.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { openObject } from '../operation/listed-schema.ts'
import { needsAnswer } from '../../sessions/record/at-work.ts'
import { RememberedView, rememberedView } from '../views/remembered-view.ts'
import { strictFields, selector } from '../../base/input-fields.ts'
import { type Context, defineOperation, waiting } from '../operation/operation.ts'
import { reportSession } from './session-report.ts'
import { STATUS, StatusName, StatusView } from './status-view.ts'

const SHAPE = {
  sessionId: selector('sessionId', 'Its id or name.'),
  id: selector('id', 'pendingQuestion.id (the id of the tool use will do too).'),
  answers: z
    .array(
      z.string('answers must be a list of texts.'),
      'answers must be a list of texts, such as ["allow"].',
    )
    .min(1, 'answers may not be empty: give one for each question.')
    .describe(
      'One for each question, such as ["allow"], ["deny"], ["approve"], ["OAuth2", "Yes"]; join several choices by ", ".',
    ),
  message: z.string('message must be text.').optional().describe('A reason or a note; the session reads it.'),
  updatedInput: Answer.shape.updatedInput,
  inputSha256: Answer.shape.inputSha256.describe(
    'As you were shown it: the answer is refused if the input is another.',
  ),
  content: Answer.shape.content,
  permissionMode: Answer.shape.permissionMode.describe(
    'With the approval of a plan: the mode to continue in.',
  ),
  remember: Answer.shape.remember.describe(
    '"session": this exact call, in its folder, is not asked again there. "suggested": nor what suggestedRules match.',
  ),
  rememberSeconds: Answer.shape.rememberSeconds.describe('With remember: for how long.'),
  rememberRule: Answer.shape.rememberRule.describe(
    'With remember: the id of one of offeredRules, in place of this exact call.',
  ),
  waitSeconds: waiting(
    'waitSeconds',
    'Then wait, and return what claude_status would; 0 by default.',
  ).default(0),
}

const RUN_THIS = 'Run this instead of pendingQuestion.input: all of its fields.'
const FILLED_IN = 'With accept: the fields of the form.'

export const respond = defineOperation({
  name: 'claude_respond',
  title: 'Answer a question of a session',
  description:
    'Answers a question that claude_status showed (tool use, plan, questions, form) by its options; for type question any text will do. ' +
    'A question is settled once; if another was first, the error says who and how.',
  input: strictFields(SHAPE),
  listed: strictFields({
    ...SHAPE,
    updatedInput: openObject('command', RUN_THIS),
    content: openObject('name', FILLED_IN),
  }),
  output: StatusView.partial().extend({
    sessionId: z.string(),
    status: StatusName,
    id: z.string(),
    decision: z.enum(['allowed', 'denied']),
    by: z.string(),
    level: Level.optional().describe(
      'Where the answer came from: 0 is the session right above, then 1 and so on; owner; person.',
    ),
    via: z.enum(VIAS).optional(),
    remembered: RememberedView.optional(),
    hint: z.string(),
  }),
  hints: { destructiveHint: true, openWorldHint: true },
  waits: true,
  // A repeated call may lack a long message of the first, so it must not answer: it only reports the answer that is on record.
  runAgain: async (context, { id: approvalId, sessionId, waitSeconds }) => {
    const { engine, call } = context
    const found = await engine.getApproval(call, { approvalId, sessionId })
    if (found.status === 'pending')
      throw new AppError('busy', 'The hub went away before the answer was stored; answer again.')
    if (found.by !== call.caller.name) throw alreadySettledError(found)
    return afterAnswer(context, found, { sessionId, waitSeconds })
  },
  run: async (context, { id: approvalId, sessionId, waitSeconds, ...answer }) => {
    const { engine, call, memory } = context
    const settled = await engine.answer(call, { approvalId, sessionId, ...answer })
    memory?.noteAnswered(settled.id)
    return afterAnswer(context, settled, { sessionId, waitSeconds })
  },
})

interface Next {
  readonly sessionId: SessionKey
  readonly waitSeconds: number
}

async function afterAnswer(context: Context, settled: Answered, { sessionId, waitSeconds }: Next) {
  const answered = {
    id: settled.id,
    decision: decisionOf(settled),
    by: settled.by ?? '',
    ...definedFields({ level: settled.level, via: settled.via, remembered: rememberedView(settled) }),
  }
  if (waitSeconds > 0) return { ...(await reportSession(context, { sessionId, waitSeconds })), ...answered }
  const session = await context.engine.getSession(context.call, { sessionId })
  const isWaiting = needsAnswer(session)
  return {
    sessionId: session.id,
    // The child has not continued yet, but it has its answer.
    status: isWaiting ? STATUS.waiting : ('active' as const),
    ...answered,
    hint: isWaiting
      ? 'It has more questions: call claude_status.'
      : 'Wait for what comes next with claude_status.',
  }
}

function decisionOf({ status }: Approval): 'allowed' | 'denied' {
  return status === 'allowed' ? 'allowed' : 'denied'
}
