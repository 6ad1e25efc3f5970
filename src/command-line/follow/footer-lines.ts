import { type Prompt, promptOf } from '../dialog/dialog-lines.ts'
import { type PromptRows, promptRows } from '../dialog/prompt-rows.ts'
import { EMPTY_LINE, type TypedLine } from '../terminal/typed-line.ts'
import { cut, widthOf } from '../views/columns.ts'
import { questionId, timeLeft } from '../views/question-views.ts'
import { dollars, duration, span, tokenCount } from '../views/session-words.ts'
import type { Activity } from './activity.ts'
import { type FollowState, isLeaving } from './follow-state.ts'

export interface FooterContext {
  readonly name: string
  readonly costUsd: number
  readonly timeoutMs: number
  /** Open questions besides the one that is shown. */
  readonly more: number
  readonly now: number
  readonly homeFolder: string | undefined
}

/** What stands at the end of the screen: a line on the session, then what can be done. */
export interface Footer extends Prompt {
  readonly status: string
  readonly draft: TypedLine
  /** Nothing happens until the person does something. */
  readonly needsPerson: boolean
}

/** Pure. */
export function footerOf(state: FollowState, activity: Activity, context: FooterContext): Footer {
  const { dialog, draft, awaySince } = state
  const status = statusOf(state, activity, context)
  if (awaySince !== undefined)
    return { status, head: [KEYS_OFF], choices: [], draft: EMPTY_LINE, needsPerson: true }
  if (state.dropped !== undefined)
    return { status, head: [droppedLine(state.dropped)], choices: [], draft: EMPTY_LINE, needsPerson: true }
  if (dialog.question) {
    const prompt = promptOf(dialog)
    const head = isLeaving(state, context.now) ? [LEAVE_OR_INTERRUPT, ...prompt.head] : prompt.head
    return { status, ...prompt, head, draft: dialog.draft, needsPerson: true }
  }
  const { isBusy } = activity
  const hint = `Type what it should do next. Ctrl-C ${isBusy ? 'interrupts it' : 'leaves; it keeps running'}.`
  return {
    status,
    head: state.note ?? [hint],
    choices: [],
    label: '> ',
    draft,
    needsPerson: !isBusy || state.note !== undefined,
  }
}

function statusOf(
  { dialog: { question }, awaySince }: FollowState,
  { doing, since, tookMs, tokens }: Activity,
  { name, costUsd, timeoutMs, more, now }: FooterContext,
): string {
  if (awaySince !== undefined)
    return `${name} · the hub is away for ${span(now - awaySince)}; nothing is lost`
  const time = since === undefined ? tookMs : now - since
  const shared = [
    ...(tokens === undefined ? [] : [`${tokenCount(tokens)} tokens`]),
    ...(costUsd === 0 ? [] : [dollars(costUsd)]),
  ]
  if (!question) return [name, ...(time === undefined ? [] : [duration(time)]), ...shared, doing].join(' · ')
  const left = timeLeft(question, timeoutMs, now)
  const parts = [`${questionId(question)} needs you`, `waits ${duration(now - question.openedAt)}`]
  return [...parts, ...(left ? [left.text] : []), ...(more > 0 ? [`${more} more wait`] : []), ...shared].join(
    ' · ',
  )
}

/** The rows of a footer, none wider than the screen; in the last one the cursor stays. Pure. */
export function footerRows(
  footer: Footer,
  { columns, rows, encode }: { columns: number; rows: number; encode: (text: string) => string },
): PromptRows {
  const width = columns - 1
  const { rows: below, cursor } = promptRows(footer, { draft: footer.draft, width, encode })
  const all = [ruled(encode(footer.status), width), ...below.slice(-Math.max(1, rows - 2))]
  return { rows: all.map(encode), cursor }
}

function ruled(status: string, width: number): string {
  const line = cut(`── ${status} `, width)
  return line.endsWith('…') ? line : line + '─'.repeat(Math.max(0, width - widthOf(line)))
}

function droppedLine(id: string): string {
  return `${id} was settled meanwhile, so what you type for it is dropped. Enter or Esc continues.`
}

const LEAVE_OR_INTERRUPT = 'Ctrl-C again leaves it running, with the question open; [i] interrupts the turn.'
const KEYS_OFF = 'Keys are off until it is back. Ctrl-C leaves; the session keeps running.'
