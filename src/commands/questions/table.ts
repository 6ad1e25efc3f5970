import type { Command, Flag, Flags } from '../../command-line/command.ts'
import { QUIET } from '../../command-line/parse-command.ts'

const IF_MATCH: Flag = {
  type: 'string',
  value: 'HASH',
  summary: 'only if the input still has this hash; plexus show prints it',
}

/** The flags by which a command answers all that is open. */
const ALL_FLAGS: Flags = {
  all: { type: 'boolean', summary: 'all open questions, or all of SESSION; lists them and asks first' },
  yes: { type: 'boolean', summary: 'with --all and --expect: do not ask' },
  expect: { type: 'string', value: 'N', summary: 'with --all: only if there are N questions' },
}

export const QUESTION_COMMANDS: readonly Command[] = [
  {
    name: 'pending',
    completes: 'session',
    group: 'questions',
    summary: 'show what waits for an answer',
    args: '[SESSION]',
    flags: { quiet: QUIET },
    example: 'plexus pending',
    load: () => import('./pending.ts'),
  },
  {
    name: 'allow',
    aliases: ['approve'],
    completes: 'question',
    group: 'questions',
    summary: 'allow what a question asks; a session stands for its only open question',
    args: '[ID...]',
    flags: {
      message: { type: 'string', short: 'm', value: 'TEXT', summary: 'a note that the model reads' },
      edit: { type: 'boolean', summary: 'change what would run, in your editor, and allow that' },
      input: { type: 'string', value: 'FILE', summary: 'allow this input (JSON, - for stdin) in its place' },
      remember: {
        type: 'string',
        optional: true,
        value: 'WHERE',
        summary:
          'this exact call needs no answer again: turn, session, tree, folder or always; suggested: nor what the shown rules cover; without WHERE, choose a rule at the terminal',
      },
      rule: {
        type: 'string',
        value: 'RULE',
        summary:
          'with --remember: the id of a rule that plexus rules offers lists, in place of the exact call',
      },
      for: {
        type: 'string',
        value: 'TIME',
        summary: 'with --remember: for how long, such as 90s, 10m or 2h',
      },
      'if-match': IF_MATCH,
      ...ALL_FLAGS,
      quiet: QUIET,
    },
    example:
      'plexus allow web.3\nplexus allow web.3 --remember folder --for 1h\nplexus allow web.1 api.2\nplexus allow --all web',
    load: () => import('./allow.ts'),
  },
  {
    name: 'deny',
    completes: 'question',
    group: 'questions',
    summary: 'refuse what a question asks',
    args: '[ID...]',
    flags: {
      message: { type: 'string', short: 'm', value: 'TEXT', summary: 'the reason, which the model reads' },
      'if-match': IF_MATCH,
      ...ALL_FLAGS,
      quiet: QUIET,
    },
    example: 'plexus deny web.4 -m "Use the staging database"',
    load: () => import('./deny.ts'),
  },
  {
    name: 'answer',
    completes: 'question',
    group: 'questions',
    summary: 'choose for a question with options: a number, an option, or a text',
    args: 'ID TEXT...',
    flags: { 'if-match': IF_MATCH, quiet: QUIET },
    example: 'plexus answer web.5 2',
    load: () => import('./answer.ts'),
  },
  {
    name: 'dismiss',
    completes: 'question',
    group: 'questions',
    summary: 'close a question or a form without an answer, which is neither a yes nor a no',
    args: 'ID...',
    flags: { 'if-match': IF_MATCH, quiet: QUIET },
    example: 'plexus dismiss web.5',
    load: () => import('./dismiss.ts'),
  },
  {
    name: 'extend',
    completes: 'question',
    group: 'questions',
    summary: 'give a question more time before it is denied',
    args: 'ID',
    flags: { for: { type: 'string', value: 'TIME', summary: 'such as 90s, 10m or 2h' } },
    example: 'plexus extend web.3 --for 10m',
    load: () => import('./extend.ts'),
  },
  {
    name: 'grants',
    group: 'questions',
    summary: 'list or revoke what is remembered, in a session or everywhere',
    args: 'VERB [SESSION] [GRANT]',
    flags: {
      all: { type: 'boolean', short: 'a', summary: 'ls: ended ones too, and how they ended' },
      quiet: QUIET,
    },
    example: 'plexus grants ls\nplexus grants ls web --all\nplexus grants revoke web.3',
    load: () => import('./grants.ts'),
  },
  {
    name: 'decisions',
    completes: 'session',
    group: 'questions',
    summary: 'show what was allowed or denied, when and by whom, the latest first',
    args: '[SESSION]',
    flags: {
      limit: { type: 'string', short: 'n', value: 'N', summary: 'how many (20 by default, at most 500)' },
      removed: { type: 'boolean', summary: 'those of removed sessions, as the record keeps them' },
      quiet: QUIET,
    },
    example: 'plexus decisions web\nplexus decisions --removed',
    load: () => import('./decisions.ts'),
  },
]
