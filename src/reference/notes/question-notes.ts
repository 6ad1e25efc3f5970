import { type NotesOf, SESSION, type VerbNote } from './verb-note.ts'

const APPROVAL =
  'The id of the question, or its short id `NAME.N`; with `sessionId` also the id of the tool use.'
const ASKING = 'The id or name of the asking session.'
const HASH = 'ee1bbf4d6d9dbf2fd7a0a2a1f2d1b8d3ad0dd3e0f9b5e0c56d5f1c1d4a3f9e21'
const ANSWER_FIELDS: VerbNote['fields'] = {
  approvalId: APPROVAL,
  sessionId: ASKING,
  answers:
    'One for each question, from its options: `allow` or `deny`, `approve` or `reject`, `accept`, `decline` or `cancel`, or the choices.',
  approve: 'Instead of `answers`: true to allow, false to deny.',
  dismiss:
    'Instead of `answers`: closes a question or a form without an answer, which is neither a yes nor a no.',
  message: 'A reason or a note; the session reads it.',
  updatedInput: 'Run this instead of the input: all of its fields.',
  inputSha256: 'The hash of the input that you have checked: the answer is refused if the input is another.',
  content: 'With `accept`: the fields of the form.',
  permissionMode: 'With the approval of a plan: the mode to continue in.',
  remember:
    'Where this exact call needs no answer from now on: `turn` (until this turn ends), `session`, `tree` (the topmost session above it, and all below that), `folder` (sessions that work in its folder or below), `always` (everywhere). `suggested`: in this session, and neither do calls that match `suggestedRules`. `tree`, `folder` and `always` are for a person.',
  rememberSeconds: 'With `remember`: it ends after so many seconds, at most 30 days.',
  rememberRule: 'With `remember`: the id of a rule that the question offers, in place of the exact call.',
}

type QuestionVerb =
  | 'pending'
  | 'getApproval'
  | 'previewChange'
  | 'decisions'
  | 'answer'
  | 'answerAll'
  | 'escalate'
  | 'extend'

export const QUESTION_NOTES: NotesOf<QuestionVerb> = {
  pending: {
    does: 'Lists open questions: of one session, or all that the caller is to answer. A person gets all that they may read.',
    fields: {
      sessionId: SESSION,
      below: 'With `sessionId`: the questions of sessions below it that the caller is to answer.',
    },
    returns: 'A list of [Question](#question).',
    example: {},
  },
  getApproval: {
    does: 'Returns one question, open or settled.',
    fields: { approvalId: APPROVAL, sessionId: ASKING },
    returns: 'The [Question](#question).',
    example: { approvalId: '6f1c1d34-7d5e-4a37-9d53-1f0f6a1b2c3d' },
  },
  previewChange: {
    does: 'Returns what the call that a question asks for would do to a file as it is now. Of a settled question: what its input says, without the file. Null if it changes no file.',
    fields: {
      approvalId: APPROVAL,
      sessionId: ASKING,
      input:
        'In place of the requested input: what the call would do after an edit. Null if it names another file.',
    },
    returns:
      '`note` (`+2 -1`, `new file`, that the file was changed since it was asked), and `lines` of a diff that begin with a space, `-`, `+` or `@`; `isUnplaced` where no line of the file is known.',
    errors: { forbidden: 'a model calls: the file is shown to a person only' },
    example: { approvalId: 'greeter.1' },
  },
  decisions: {
    does: 'Lists settled questions of one session, or of all that the caller may read, newest first.',
    fields: {
      sessionId: SESSION,
      below: 'true, with `sessionId`: also those of all sessions below it.',
      limit: 'The most decisions to return: 20 by default, at most 500.',
      before: 'The id of a question: only earlier questions.',
    },
    returns: 'A list of [Question](#question) without `questions`, `suggestedRules` and `expiresAt`.',
    example: { sessionId: 'greeter', limit: 20 },
  },
  answer: {
    does: 'Answers a question. It is settled once.',
    fields: ANSWER_FIELDS,
    returns: 'The settled [Question](#question), with `remembered` if something was remembered.',
    errors: {
      already_settled: 'somebody else was first; `approval` in the data of the error says who and how',
      forbidden:
        'only a person may answer for this session, or a session may not allow what it may not do itself, or answers about a budget',
    },
    example: { approvalId: '6f1c1d34-7d5e-4a37-9d53-1f0f6a1b2c3d', answers: ['allow'] },
  },
  answerAll: {
    does: 'Answers several questions as one decision, in one commit: all of them, or none.',
    fields: {
      questions: 'What `answer` takes, for each question; at most 2000, of any sessions.',
      ...Object.fromEntries(
        Object.entries(ANSWER_FIELDS).map(([name, meaning]) => [`questions[].${name}`, meaning]),
      ),
    },
    returns: 'The settled [Questions](#question), in the same order.',
    errors: {
      already_settled: 'somebody else answered one of them first; none is answered, and the error names it',
      changed: 'the hash of one of them is of another input; none is answered, and the error names it',
      forbidden: 'the caller may not answer one of them so; none is answered, and the error names it',
    },
    example: {
      questions: [
        { approvalId: 'web.1', inputSha256: HASH, approve: true },
        { approvalId: 'web.2', inputSha256: HASH, approve: true },
      ],
    },
  },
  escalate: {
    does: 'Hands a question to the next level above the caller, which is responsible for it from then on.',
    fields: { approvalId: APPROVAL, sessionId: ASKING, note: 'What the next answerer should know.' },
    returns: 'The [Question](#question).',
    errors: { already_settled: 'the question was answered meanwhile' },
    example: { approvalId: '6f1c1d34-7d5e-4a37-9d53-1f0f6a1b2c3d', note: 'I am not sure about the path.' },
  },
  extend: {
    does: 'Gives a question more time, counted from now.',
    fields: {
      approvalId: APPROVAL,
      sessionId: ASKING,
      seconds: 'How long; by default as long as the session gives to each question.',
    },
    returns: 'The [Question](#question).',
    errors: { already_settled: 'the question has an answer' },
    example: { approvalId: 'greeter.1', seconds: 600 },
  },
}
