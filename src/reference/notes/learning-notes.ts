import type { ErrorCode } from '../../base/errors.ts'
import type { VerbName } from '../../engine/verbs.ts'
import type { VerbNote } from './verb-note.ts'

type LearningVerb = Extract<
  VerbName,
  | 'offerRules'
  | 'suggestRules'
  | 'replayRules'
  | 'importRules'
  | 'exportRules'
  | 'testCall'
  | 'explainQuestion'
>

const NO_SESSION: Partial<Record<ErrorCode, string>> = { forbidden: 'the caller is a session' }
const DAYS = 'How many days back; 30 by default.'
const CHANGE =
  '`count`, `denied` (how many of these were denied by an answer) and up to 5 `examples` (`question`, `at`, `call`, `status`, `by`, `ruleId`)'

export const LEARNING_NOTES: Readonly<Record<LearningVerb, VerbNote>> = {
  offerRules: {
    does: 'Returns rules that could be remembered with the answer to an open question. Each was tried on this very call, and decides it.',
    fields: {
      approvalId: 'The id of the question, or its short id `NAME.N`.',
      sessionId: 'The id or name of the asking session.',
    },
    returns: `\`offers\`, the narrowest first: \`id\` (for \`rememberRule\`; with \`-yes\` after it if \`needsYes\`), \`text\`, \`rule\`, \`scopes\` (what \`remember\` may be), \`texts\` (for each of these the rule as it would be stored), \`newlyAllowed\` (${CHANGE}) and \`needsYes\` (it would have allowed what was denied). \`compared\`: with how many stored \`questions\`, \`since\` when.`,
    example: { approvalId: 'web.3' },
  },
  suggestRules: {
    does: 'Returns rules for what was answered alike at least three times; none of them contradicts an answer.',
    fields: { days: DAYS },
    returns:
      'A list, the most useful first: `rule`, `text`, `answers` (how many it is made from), `questions` (how many it would have answered).',
    errors: NO_SESSION,
    example: { days: 30 },
  },
  replayRules: {
    does: 'Returns what a rules file would have decided about the stored questions that you may read. Nothing is run or saved.',
    fields: { rules: 'What is in the file: an object, or its text.', days: DAYS },
    returns: `\`questions\`, \`unchanged\`, \`since\`, \`oldestAt\`, and \`newlyAllowed\`, \`newlyAsked\`, \`newlyDenied\`: each ${CHANGE}.`,
    errors: NO_SESSION,
    example: { rules: { v: 1, rules: [{ id: 'tests', effect: 'allow', command: 'npm test *' }] }, days: 7 },
  },
  importRules: {
    does: 'Returns the rules that the permissions of a settings file of Claude Code become, and what these would have decided; with `replaces` it adds them to `rules.json` of the home folder. For a person.',
    fields: {
      settings: 'The text of the settings file.',
      replaces:
        'The `digest` that an earlier call returned: saves, if the file is still that one. Without it nothing is saved.',
      days: DAYS,
    },
    returns:
      '`added` (`id` and `text` of each rule that is not there yet), `known` (how many are), `notSaid` (`rule` and `reason`), `digest` (of `rules.json` before, empty if there is none), `replay` (as `replayRules` returns it) and `saved`.',
    errors: {
      forbidden: 'the caller is no person who may change the rules',
      changed: '`rules.json` is not the one of `replaces`; nothing was saved',
    },
    example: { settings: '{"permissions":{"allow":["Bash(npm test:*)"]}}' },
  },
  exportRules: {
    does: 'Returns the rules of the home folder as permissions of Claude Code. For a person.',
    fields: {},
    returns:
      '`permissions` (`allow`, `ask`, `deny`) and `notSaid`: `rule` and `reason` of each that Claude Code cannot say.',
    errors: { forbidden: 'the caller is no person' },
    example: {},
  },
  testCall: {
    does: 'Returns what would become of a call if the session made it now, and by which rule. Nothing is run.',
    fields: {
      sessionId: 'The name or id of the session.',
      call: 'The call, such as `Bash(git push)`, `Read(src/a.ts)` or `mcp__server__tool`.',
      mode: 'The permission mode; by default that in which the session was started.',
    },
    returns:
      '`effect` (`none` if no rule decides), `drawer`, `ruleId`, `text`, `because`, `digest`, and `hook`: what our hook would answer.',
    example: { sessionId: 'web', call: 'Bash(git push)' },
  },
  explainQuestion: {
    does: 'Returns which rule decided a question, or had it asked; also after its session was removed, as long as the record has its rows (for callers who may read the record).',
    fields: {
      approvalId:
        'The id of the question, its short id `NAME.N`, or the number of a row of the record: also of a call that nobody was asked about.',
    },
    returns:
      '`source` (`question` or `record`), `approvalId` (empty if nobody was asked), `status`, `end` (how it ended, in words), `by`, `via`, `at`, and `verdict` if a rule decided.',
    example: { approvalId: 'web.3' },
  },
}
