import { endOf } from '../../approvals/ends/question-end.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Column } from './columns.ts'
import { answerInLine, endWords } from './answer-lines.ts'
import { callLine, questionId } from './question-views.ts'
import { answerJson } from './question-cards.ts'
import { iso } from './session-views.ts'
import { localTime, oneLine, viaWords } from './session-words.ts'

/** By the time of the decision. Pure. */
export function latestFirst(decided: readonly PendingQuestion[]): PendingQuestion[] {
  return decided.toSorted((a, b) => (b.settledAt ?? b.openedAt) - (a.settledAt ?? a.openedAt))
}

export function decisionColumns(decided: readonly PendingQuestion[]): Column[] {
  const column = (title: string, cellOf: (one: PendingQuestion) => string): Column => ({
    title,
    cells: decided.map(cellOf),
  })
  return [
    column('WHEN', ({ settledAt, openedAt }) => localTime(settledAt ?? openedAt).slice(5)),
    column('QUESTION', questionId),
    column('DECISION', (one) => endWords(one, one)),
    column('BY', deciderOf),
    {
      ...column('WHAT', (one) => callLine(one) + answerInLine(one, one.decision)),
      flexible: true,
    },
  ]
}

/** Who it was, and by which way: `operator (command line)`. */
function deciderOf({ by, via }: PendingQuestion): string {
  const way = via === undefined ? '' : `(${viaWords(via)})`
  return [...(by === undefined ? [] : [oneLine(by)]), way].join(' ').trim() || '-'
}

/** The documented form of a decision in `--json`; fields are only ever added. */
export function decisionJson(one: PendingQuestion): object {
  const { id, shortId, sessionId, kind, toolName, input, inputSha256, status, by, via, level, decision } = one
  return {
    id,
    ...(shortId === undefined ? {} : { shortId }),
    sessionId,
    kind,
    toolName,
    input,
    inputSha256,
    status,
    end: endOf(one),
    ...(one.repeats === undefined ? {} : { repeats: one.repeats }),
    ...(one.supersededBy === undefined ? {} : { supersededBy: one.supersededBy }),
    ...(by === undefined ? {} : { by }),
    ...(via === undefined ? {} : { via }),
    ...(level === undefined ? {} : { level }),
    ...answerJson(one, decision),
    openedAt: iso(one.openedAt),
    ...(one.settledAt === undefined ? {} : { settledAt: iso(one.settledAt) }),
  }
}
