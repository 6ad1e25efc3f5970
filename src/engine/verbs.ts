import { z } from 'zod'
import { RECORD_KINDS } from '../audit/record-row.ts'
import { MAX_TIMER_MS } from '../base/limits.ts'
import { INVALID_ASK, ASKS } from '../base/ask-setting.ts'
import { BudgetSchema } from '../budgets/budget-schema.ts'
import { DEVICE_SCOPES } from '../callers/device-scope.ts'
import { Answer } from '../approvals/answer.ts'
import { argumentText, freeText } from '../child/launch/argument-text.ts'
import { SessionName, StartOptions } from '../child/launch/start-options.ts'
import { AppError } from '../base/errors.ts'
import { Command } from '../events/session-event.ts'
import { SessionId } from '../base/ids.ts'
import { strictFields, selector, wholeNumber } from '../base/input-fields.ts'
import { parseInput } from '../base/parse-input.ts'
import { PERMISSION_MODES } from '../base/permission-modes.ts'
import { NoticeChoice } from '../notices/notice-settings.ts'
import { SessionStatus } from '../sessions/record/session.ts'
import type { Engine, CallContext } from './engine.ts'
import { promptContent } from './prompt-content.ts'

/** Every verb but `followEvents` and `followAll`, which are streams and have their own route. */
export type VerbName = Exclude<keyof Engine, 'followEvents' | 'followAll'>

const sessionId = selector('sessionId')
const OneSession = params({ sessionId })
const to = z.enum(['command', 'terminal'], 'to must be command or terminal.')
const Modes = PERMISSION_MODES.filter((mode) => mode !== 'cli')
const NO_SESSIONS = 'sessionIds may not be empty; leave it out to wait for any session.'
const MAX_AT_WORK = 1_000
const MAX_KNOWN = 1_000
const SECONDS_AT_MOST = 'seconds may be at most 50.'
const SECONDS = 'seconds must be a number, 0 or more.'

const OneOfAll = strictFields(
  {
    ...Answer.shape,
    inputSha256: z.string('inputSha256 must be the hash of the input that was shown.'),
    approvalId: selector('approvalId'),
    sessionId: sessionId.optional(),
  },
  'questions',
)
const MAX_DAYS = 366
const MAX_PATH = 4_096
const MAX_ANCHORS = 8_000_000
/** As many as can be open at once. */
const MAX_ANSWERS = 2_000

const MAX_RULES_TEXT = 1 << 20
const TOO_MANY_RULES = 'rules may have at most 1 MiB.'
const MAX_CALL_TEXT = 20_000

/** The input schema of each verb, as it comes over a wire. Unknown fields are refused, and errors name the field. */
export const VERBS = {
  createSession: verb(
    params({
      options: StartOptions.prefault({}),
      timeoutMs: wholeNumber('timeoutMs', 0, MAX_TIMER_MS).optional(),
      answerers: z.enum(['anyone', 'person'], 'answerers must be anyone or person.').optional(),
      ask: z.enum(ASKS, INVALID_ASK).optional(),
      resume: SessionId.optional(),
      content: promptContent('content').optional(),
    }),
    (engine, call, input) => engine.createSession(call, input),
  ),
  startTurn: verb(
    params({ sessionId, content: promptContent('content').optional(), command: Command.optional() }),
    (engine, call, input) => engine.startTurn(call, input),
  ),
  getSession: verb(OneSession, (engine, call, input) => engine.getSession(call, input)),
  listSessions: verb(
    params({
      status: z.array(SessionStatus).max(SessionStatus.options.length).optional(),
      limit: wholeNumber('limit', 1).optional(),
      before: z.strictObject({ updatedAt: z.number(), id: selector('before.id') }).optional(),
    }),
    (engine, call, input) => engine.listSessions(call, input),
  ),
  listConversations: verb(
    params({
      workingDirectory: argumentText('workingDirectory').optional(),
      limit: wholeNumber('limit', 1).optional(),
      before: z.strictObject({ updatedAt: z.number(), sessionId: selector('before.sessionId') }).optional(),
    }),
    (engine, call, input) => engine.listConversations(call, input),
  ),
  listTurns: verb(OneSession, (engine, call, input) => engine.listTurns(call, input)),
  readEvents: verb(
    params({
      sessionId,
      after: wholeNumber('after', 0).optional(),
      reader: selector('reader').optional(),
      limit: wholeNumber('limit', 1).optional(),
    }),
    (engine, call, input) => engine.readEvents(call, input),
  ),
  readTurn: verb(
    params({
      sessionId,
      reader: selector('reader').optional(),
      turn: wholeNumber('turn', 0).optional(),
      from: wholeNumber('from', 0).optional(),
      limit: wholeNumber('limit', 0).optional(),
      skipTails: z.boolean('skipTails must be true or false.').optional(),
    }),
    (engine, call, input) => engine.readTurn(call, input),
  ),
  waitFor: verb(
    params({
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
    (engine, call, input) => engine.waitFor(call, input),
  ),
  pending: verb(
    params({
      sessionId: sessionId.optional(),
      below: z.literal(true, 'below must be true, or left out.').optional(),
    }),
    (engine, call, input) => engine.pending(call, input),
  ),
  getApproval: verb(
    params({ approvalId: selector('approvalId'), sessionId: sessionId.optional() }),
    (engine, call, input) => engine.getApproval(call, input),
  ),
  previewChange: verb(
    params({
      approvalId: selector('approvalId'),
      sessionId: sessionId.optional(),
      input: z.record(z.string(), z.unknown(), 'input must be an object.').optional(),
    }),
    (engine, call, input) => engine.previewChange(call, input),
  ),
  decisions: verb(
    params({
      sessionId: sessionId.optional(),
      below: z.literal(true, 'below must be true, or left out.').optional(),
      limit: wholeNumber('limit', 1).optional(),
      before: selector('before').optional(),
    }),
    (engine, call, input) => engine.decisions(call, input),
  ),
  costs: verb(
    params({ sessionId: sessionId.optional(), days: wholeNumber('days', 1, MAX_DAYS).optional() }),
    (engine, call, input) => engine.costs(call, input),
  ),
  listBudgets: verb(params({}), (engine, call, input) => engine.listBudgets(call, input)),
  answer: verb(
    params({ ...Answer.shape, approvalId: selector('approvalId'), sessionId: sessionId.optional() }),
    (engine, call, input) => engine.answer(call, input),
  ),
  answerAll: verb(
    params({
      questions: z
        .array(OneOfAll, 'questions must be a list.')
        .min(1, 'questions may not be empty.')
        .max(MAX_ANSWERS, `questions may have at most ${MAX_ANSWERS} entries.`),
    }),
    (engine, call, input) => engine.answerAll(call, input),
  ),
  escalate: verb(
    params({
      approvalId: selector('approvalId'),
      sessionId: sessionId.optional(),
      note: z.string('note must be text.').max(10_000, 'note may have at most 10000 characters.').optional(),
    }),
    (engine, call, input) => engine.escalate(call, input),
  ),
  offerRules: verb(
    params({ approvalId: selector('approvalId'), sessionId: sessionId.optional() }),
    (engine, call, input) => engine.offerRules(call, input),
  ),
  suggestRules: verb(params({ days: wholeNumber('days', 1, MAX_DAYS).optional() }), (engine, call, input) =>
    engine.suggestRules(call, input),
  ),
  replayRules: verb(
    params({
      rules: z.union(
        [z.string().max(MAX_RULES_TEXT, TOO_MANY_RULES), z.record(z.string(), z.unknown())],
        'rules must be what is in a rules file, as an object or as text.',
      ),
      days: wholeNumber('days', 1, MAX_DAYS).optional(),
    }),
    (engine, call, input) => engine.replayRules(call, input),
  ),
  importRules: verb(
    params({
      settings: z
        .string('settings must be the text of a settings file of Claude Code.')
        .max(MAX_RULES_TEXT, 'settings may have at most 1 MiB.'),
      replaces: z
        .string('replaces must be the digest of the rules file.')
        .max(64, 'replaces must be the digest of the rules file.')
        .optional(),
      days: wholeNumber('days', 1, MAX_DAYS).optional(),
    }),
    (engine, call, input) => engine.importRules(call, input),
  ),
  exportRules: verb(params({}), (engine, call, input) => engine.exportRules(call, input)),
  testCall: verb(
    params({
      sessionId,
      call: freeText('call').max(MAX_CALL_TEXT, `call may have at most ${MAX_CALL_TEXT} characters.`),
      mode: z.enum(Modes, `mode must be one of ${Modes.join(', ')}.`).optional(),
    }),
    (engine, call, input) => engine.testCall(call, input),
  ),
  explainQuestion: verb(params({ approvalId: selector('approvalId') }), (engine, call, input) =>
    engine.explainQuestion(call, input),
  ),
  listGrants: verb(
    params({
      sessionId: sessionId.optional(),
      ended: z.literal(true, 'ended must be true, or left out.').optional(),
    }),
    (engine, call, input) => engine.listGrants(call, input),
  ),
  revokeGrant: verb(
    params({ sessionId: sessionId.optional(), grantId: selector('grantId') }),
    (engine, call, input) => engine.revokeGrant(call, input),
  ),
  renameSession: verb(params({ sessionId, name: SessionName }), (engine, call, input) =>
    engine.renameSession(call, input),
  ),
  deleteSession: verb(
    params({ sessionId, stop: z.literal(true, 'stop must be true, or left out.').optional() }),
    (engine, call, input) => engine.deleteSession(call, input),
  ),
  extend: verb(
    params({
      approvalId: selector('approvalId'),
      sessionId: sessionId.optional(),
      seconds: wholeNumber('seconds', 1, Math.floor(MAX_TIMER_MS / 1_000)).optional(),
    }),
    (engine, call, input) => engine.extend(call, input),
  ),
  interrupt: verb(OneSession, (engine, call, input) => engine.interrupt(call, input)),
  setMode: verb(
    params({
      sessionId,
      mode: z.enum(Modes, `mode must be one of ${Modes.join(', ')}.`),
      interrupt: z.literal(true, 'interrupt must be true, or left out.').optional(),
    }),
    (engine, call, input) => engine.setMode(call, input),
  ),
  setBudget: verb(params({ sessionId, budget: BudgetSchema.optional() }), (engine, call, input) =>
    engine.setBudget(call, input),
  ),
  setModel: verb(
    params({ sessionId, model: argumentText('model').max(200, 'model may have at most 200 characters.') }),
    (engine, call, input) => engine.setModel(call, input),
  ),
  fork: verb(
    params({
      sessionId,
      nodeId: z.uuid('nodeId must be a UUID.').optional(),
      name: StartOptions.shape.name,
    }),
    (engine, call, input) => engine.fork(call, input),
  ),
  tree: verb(OneSession, (engine, call, input) => engine.tree(call, input)),
  history: verb(OneSession, (engine, call, input) => engine.history(call, input)),
  permitConfig: verb(OneSession, (engine, call, input) => engine.permitConfig(call, input)),
  commandConfig: verb(params({ sessionId, to: to.optional() }), (engine, call, input) =>
    engine.commandConfig(call, input),
  ),
  judgeCall: verb(
    params({ hookInput: z.record(z.string(), z.unknown(), 'hookInput must be an object.') }),
    (engine, call, input) => engine.judgeCall(call, input),
  ),
  handOver: verb(
    params({
      sessionId,
      to,
      pid: wholeNumber('pid', 1),
      stop: z.literal(true, 'stop must be true, or left out.').optional(),
    }),
    (engine, call, input) => engine.handOver(call, input),
  ),
  returnSession: verb(
    params({
      sessionId,
      pid: wholeNumber('pid', 1),
      exitCode: wholeNumber('exitCode', 0).optional(),
      signal: argumentText('signal').max(20, 'signal is the name of one.').optional(),
      cliSessionId: SessionId.optional(),
    }),
    (engine, call, input) => engine.returnSession(call, input),
  ),
  stopSession: verb(OneSession, (engine, call, input) => engine.stopSession(call, input)),
  listFolders: verb(
    params({ path: freeText('path').max(MAX_PATH, `path may have at most ${MAX_PATH} characters.`) }),
    (engine, call, input) => engine.listFolders(call, input),
  ),
  inviteDevice: verb(
    params({
      scope: z.enum(DEVICE_SCOPES, `scope must be one of ${DEVICE_SCOPES.join(', ')}.`),
      confirm: z.literal(true, 'confirm must be true, or left out.').optional(),
    }),
    (engine, call, input) => engine.inviteDevice(call, input),
  ),
  awaitDevice: verb(
    params({ code: selector('code'), seconds: z.number(SECONDS).min(0, SECONDS).max(50, SECONDS_AT_MOST) }),
    (engine, call, input) => engine.awaitDevice(call, input),
  ),
  confirmDevice: verb(
    params({
      code: selector('code'),
      decision: z.enum(['accept', 'refuse'], 'decision must be accept or refuse.'),
    }),
    (engine, call, input) => engine.confirmDevice(call, input),
  ),
  listDevices: verb(params({}), (engine, call, input) => engine.listDevices(call, input)),
  removeDevice: verb(params({ name: selector('name') }), (engine, call, input) =>
    engine.removeDevice(call, input),
  ),
  listRecord: verb(
    params({
      sessionId: sessionId.optional(),
      approvalId: selector('approvalId').optional(),
      kind: z.enum(RECORD_KINDS, `kind must be one of ${RECORD_KINDS.join(', ')}.`).optional(),
      before: wholeNumber('before', 1).optional(),
      limit: wholeNumber('limit', 1).optional(),
    }),
    (engine, call, input) => engine.listRecord(call, input),
  ),
  getRecordRow: verb(params({ number: wholeNumber('number', 1) }), (engine, call, input) =>
    engine.getRecordRow(call, input),
  ),
  exportRecord: verb(
    params({ after: wholeNumber('after', 0).optional(), until: wholeNumber('until', 0).optional() }),
    (engine, call, input) => engine.exportRecord(call, input),
  ),
  verifyRecord: verb(
    params({
      anchors: z
        .string('anchors must be the text of a file of anchors.')
        .max(
          MAX_ANCHORS,
          'anchors may have at most 8000000 characters; plexus audit verify takes larger files.',
        )
        .optional(),
    }),
    (engine, call, input) => engine.verifyRecord(call, input),
  ),
  readNotices: verb(params({}), (engine, call, input) => engine.readNotices(call, input)),
  setNotices: verb(params(NoticeChoice.shape), (engine, call, input) => engine.setNotices(call, input)),
} satisfies Record<VerbName, unknown>

/** The input schema of `followEvents`. */
export const FollowEvents = params({ sessionId, after: wholeNumber('after', 0) })
export type FollowEvents = z.infer<typeof FollowEvents>

/** The input schema of `followAll`. */
export const FollowAll = params({
  after: wholeNumber('after', 0).optional(),
  questions: z.boolean().optional(),
})
export type FollowAll = z.infer<typeof FollowAll>

/** Calls a verb by its name with unparsed input. */
export async function callVerb(
  engine: Engine,
  call: CallContext,
  method: string,
  input: unknown,
): Promise<unknown> {
  if (!isVerb(method)) throw new UnknownVerb(method)
  return VERBS[method].call(engine, call, input)
}

export function isVerb(method: string): method is VerbName {
  return Object.hasOwn(VERBS, method)
}

/** A class of its own, because JSON-RPC has one code for an unknown method and another for invalid params. */
export class UnknownVerb extends AppError {
  constructor(method: string) {
    const known = Object.keys(VERBS).join(', ')
    super('invalid_input', `There is no method ${JSON.stringify(method.slice(0, 100))}; there are ${known}.`)
    this.name = 'UnknownVerb'
  }
}

type RunVerb<T extends z.ZodType> = (
  engine: Engine,
  call: CallContext,
  input: z.output<T>,
) => Promise<unknown>

function verb<T extends z.ZodType>(input: T, run: RunVerb<T>) {
  return {
    input,
    call: (engine: Engine, call: CallContext, given: unknown) => run(engine, call, parseInput(input, given)),
  }
}

function params<Shape extends z.ZodRawShape>(shape: Shape) {
  return strictFields(shape, 'params')
}
