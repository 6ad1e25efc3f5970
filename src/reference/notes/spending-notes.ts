import { type NotesOf, SESSION } from './verb-note.ts'

type SpendingVerb = 'costs' | 'listBudgets' | 'setBudget'

export const SPENDING_NOTES: NotesOf<SpendingVerb> = {
  costs: {
    does: 'Sums of cost by day, by model and by session, of the sessions that the caller may read, or of one session and those below it.',
    fields: {
      sessionId: SESSION,
      days: 'How many days, up to today: 1 by default, at most 366. A day is one of the time zone of the hub.',
    },
    returns:
      '`zone` (the time zone of the hub), `days` (the latest first: `day`, `usd`, `tokens`), `models` (most first: `model`, `usd`, `tokens`), `sessions` (most first: `sessionId`, `name`, `usd` in these days) and, with `sessionId`, `session` (`usd` and `treeUsd` in all, how many sessions are `below`, what all of them have `spent`, and their `budget`). Sessions that were removed still count.',
    example: { days: 7 },
  },
  listBudgets: {
    does: 'The budgets of the newest sessions that the caller may read (of at most 500), and what each of them has spent with all sessions below it.',
    fields: {},
    returns:
      'A list of `sessionId`, `budget`, `spent` (`usd`, `tokens`, `toolCalls`, `seconds`; removed sessions count too, and running turns by an estimate) and `state`: `free`, `low` from 80 % of a limit on, `used_up`.',
    example: {},
  },
  setBudget: {
    does: 'Sets what a session and all sessions below it may spend together. At the limit its turns are interrupted, and new turns and starts are refused until it is raised; nothing is lost. Never for a session.',
    fields: {
      sessionId: SESSION,
      budget:
        '`usd`, `tokens`, `toolCalls`, `seconds`, each optional; without `budget` it has no limit of its own.',
      'budget.usd': 'US dollars.',
      'budget.tokens': 'Tokens that models read and write, cached ones too.',
      'budget.toolCalls': 'Calls of tools.',
      'budget.seconds': 'Time at work, without the time that it waits for answers.',
    },
    returns: 'The [Session](#session).',
    errors: { forbidden: 'the caller is a session' },
    example: { sessionId: 'greeter', budget: { usd: 10 } },
  },
}
