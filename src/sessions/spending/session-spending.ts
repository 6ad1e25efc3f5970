import type { EventOf } from '../../events/session-event.ts'
import { type Budget, budgetOf } from '../../budgets/budget.ts'
import { workedMs } from './work-time.ts'

/**
 * The tokens and tool calls of a session. The CLI reports its tokens at the end of a turn, as a sum of its process; until then
 * they are counted by the requests to the model and what it prints of each message. It is part of checkpoints, so its fields keep their names.
 */
export interface SessionSpending {
  /** Of the turns that have ended. */
  readonly tokens: number
  /** The last sum that the process reported. */
  readonly reported: number
  /** Since that report: what each request to the model has read, and what the model has written where the CLI prints it. */
  readonly turnTokens: number
  /** The last message that was counted, by the call that a sub-agent belongs to; the main conversation has an empty name. */
  readonly counted: Readonly<Record<string, string>>
  readonly toolCalls: number
  /** What the models have written of their last messages, by the same names; absent in older checkpoints. */
  readonly written?: Readonly<Record<string, number>>
}

export const NO_SPENDING: SessionSpending = {
  tokens: 0,
  reported: 0,
  turnTokens: 0,
  counted: {},
  toolCalls: 0,
}

/** A message comes in several events, and each of them has the tokens of the whole. */
export function withMessage(
  spending: SessionSpending,
  event: EventOf<'text' | 'thinking' | 'tool.used'>,
): SessionSpending {
  const { messageId, contextTokens = 0, parent = '' } = event
  const called = event.type === 'tool.used' ? spending.toolCalls + 1 : spending.toolCalls
  if (messageId === undefined || contextTokens === 0 || spending.counted[parent] === messageId)
    return called === spending.toolCalls ? spending : { ...spending, toolCalls: called }
  return {
    ...spending,
    toolCalls: called,
    turnTokens: spending.turnTokens + contextTokens,
    counted: { ...spending.counted, [parent]: messageId },
    written: { ...spending.written, [parent]: 0 },
  }
}

/** The CLI may print the size of a message more than once: each time it is the whole size so far. */
export function withOutput(
  spending: SessionSpending,
  { outputTokens, parent = '' }: EventOf<'message.ended'>,
): SessionSpending {
  const { written = {} } = spending
  const before = Object.hasOwn(written, parent) ? (written[parent] ?? 0) : 0
  const more = Math.max(0, outputTokens - before)
  if (more === 0) return spending
  return {
    ...spending,
    turnTokens: spending.turnTokens + more,
    written: { ...written, [parent]: outputTokens },
  }
}

/**
 * At the end of a turn. The report also has what the model wrote; a process that ended in the middle of a turn never
 * reported, and then the count is more.
 */
export function withTokenReport(spending: SessionSpending, total: number | undefined): SessionSpending {
  const { tokens, reported, turnTokens } = spending
  const added = total === undefined ? 0 : total >= reported ? total - reported : total
  return {
    ...spending,
    tokens: tokens + Math.max(added, turnTokens),
    reported: total ?? reported,
    turnTokens: 0,
    counted: {},
    written: {},
  }
}

/** The next process counts from 0, unless its version continues the sums of the conversation. */
export function spendingAfterRun(spending: SessionSpending, continues: boolean): SessionSpending {
  return continues || spending.reported === 0 ? spending : { ...spending, reported: 0 }
}

/** What the row of a session says about its spending besides the cost. */
export interface SpentRow {
  readonly tokens: number
  readonly turnTokens: number
  readonly toolCalls: number
  /** Time at work in ms, until `since`; waiting for an answer does not count. */
  readonly workMs: number
  /** It has been at work since then, by the steady clock of the process that noted it. */
  readonly since?: number | undefined
}

/** What matters of a session's row before the step. */
interface RowBefore {
  readonly status: string
  readonly spent?: SpentRow | undefined
  readonly parentId?: string | undefined
  readonly budget?: Budget | null | undefined
  readonly config: { readonly budget?: Budget | undefined; readonly maxBudgetUsd?: number | undefined }
}

interface Moment {
  readonly status: string
  readonly inTurn: boolean
  /** By the steady clock. */
  readonly at: number
}

/** The row after a step. The same object if nothing has changed, so that most steps do not write the row. */
export function spentRow(
  before: RowBefore,
  { tokens, turnTokens, toolCalls }: SessionSpending,
  { status, inTurn, at }: Moment,
): SpentRow | undefined {
  const old = before.spent
  const { workMs: worked = 0, since } = old ?? {}
  const [wasRunning, isRunning] = [before.status === 'running', status === 'running']
  const elapsed = wasRunning && since !== undefined ? workedMs(since, at) : 0
  // Noted now and then, so that little is left to guess if the hub dies.
  const isNoted = !isRunning || elapsed >= NOTE_MS
  const workMs = isNoted ? worked + elapsed : worked
  const begun = wasRunning && !isNoted ? since : at
  const time = isRunning ? { workMs, since: begun } : { workMs }
  // Within a turn each message would write the row; only a budget needs it so early.
  const isWatched = before.parentId !== undefined || budgetOf(before) !== undefined
  const counts = inTurn && !isWatched && old ? old : { tokens, turnTokens, toolCalls }
  const next: SpentRow = {
    tokens: counts.tokens,
    turnTokens: counts.turnTokens,
    toolCalls: counts.toolCalls,
    ...time,
  }
  return old && isSame(old, next) ? old : next
}

function isSame(a: SpentRow, b: SpentRow): boolean {
  return (
    a.tokens === b.tokens &&
    a.turnTokens === b.turnTokens &&
    a.toolCalls === b.toolCalls &&
    a.workMs === b.workMs &&
    a.since === b.since
  )
}

const NOTE_MS = 10_000
