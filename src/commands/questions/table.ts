import type { Command, Flag } from '../../command-line/command.ts'

const IF_MATCH: Flag = {
  type: 'string',
  value: 'HASH',
  summary: 'only if the input still has this hash; plexus show prints it',
}

export const QUESTION_COMMANDS: readonly Command[] = [
  {
    name: 'pending',
    group: 'questions',
    summary: 'show what waits for an answer',
    args: '[SESSION]',
    flags: { quiet: { type: 'boolean', short: 'q', summary: 'print ids only' } },
    example: 'plexus pending',
    load: () => import('./pending.ts'),
  },
  {
    name: 'allow',
    aliases: ['approve'],
    group: 'questions',
    summary: 'allow what a question asks; a session stands for its only open question',
    args: 'ID...',
    flags: {
      message: { type: 'string', short: 'm', value: 'TEXT', summary: 'a note that the model reads' },
      remember: {
        type: 'string',
        value: 'WHAT',
        summary: 'session: this exact call needs no answer again; suggested: nor what the shown rules cover',
      },
      'if-match': IF_MATCH,
    },
    example: 'plexus allow web.3',
    load: () => import('./allow.ts'),
  },
  {
    name: 'deny',
    group: 'questions',
    summary: 'refuse what a question asks',
    args: 'ID...',
    flags: {
      message: { type: 'string', short: 'm', value: 'TEXT', summary: 'the reason, which the model reads' },
      'if-match': IF_MATCH,
    },
    example: 'plexus deny web.4 -m "Use the staging database"',
    load: () => import('./deny.ts'),
  },
  {
    name: 'answer',
    group: 'questions',
    summary: 'choose for a question with options: a number, an option, or a text',
    args: 'ID TEXT...',
    flags: { 'if-match': IF_MATCH },
    example: 'plexus answer web.5 2',
    load: () => import('./answer.ts'),
  },
  {
    name: 'extend',
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
    summary: 'list or revoke what is remembered in a session',
    args: 'VERB SESSION [GRANT]',
    flags: {},
    example: 'plexus grants ls web',
    load: () => import('./grants.ts'),
  },
]
