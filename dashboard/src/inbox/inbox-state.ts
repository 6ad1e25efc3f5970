import { computed, effect, signal } from '@preact/signals'
import {
  asked,
  type Dialog,
  emptyDialog,
  UNREAD_MS,
  unread,
  withEdited,
  withQuestion,
} from '../../../src/command-line/dialog/dialog.ts'
import { type DialogAction, keyForQuestion } from '../../../src/command-line/dialog/dialog-keys.ts'
import { withOffers } from '../../../src/command-line/dialog/dialog-offers.ts'
import { EMPTY_LINE, lineOf } from '../../../src/command-line/terminal/typed-line.ts'
import type { Batch } from '../answered/batch-sentence.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { connection, hub, isAwake } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'
import { HubError } from '../hub/hub-client.ts'
import { onStep, questions } from '../hub/hub-state.ts'
import { begun, edits, HAS_CHANGED, keepBegun, keepDraftsOf, reasons, resumed } from './drafts.ts'
import { route } from '../shell/route.ts'

/** The question in front of the person, open or settled. It changes only when the person moves. */
export const focusedId = signal<string | undefined>(undefined)
/** What the person does with it: the same state machine as at a terminal. */
export const dialog = signal<Dialog>(emptyDialog({ mayEdit: true, repliesAtOnce: false }))
/** The focused question after it was settled, by whomever. */
export const settled = signal<PendingQuestion | undefined>(undefined)
/** Why the last action failed. */
export const problem = signal<string | undefined>(undefined)
export const isEditing = signal(false)
/** The last decision over several, until the next answer. */
export const batch = signal<Batch | undefined>(undefined)

/** Only what is live can be answered: otherwise it may be another question by now. */
export const isAnswerable = computed(() => connection.value === 'live' && storedScope() !== 'read')
/** Whether the card has been in front of the person long enough to be read. */
const isRead = signal(false)
/** Buttons are on only when their click counts. */
export const mayAnswer = computed(() => isAnswerable.value && isRead.value)

effect(() => {
  const { readableAt } = dialog.value
  const left = readableAt + UNREAD_MS - performance.now()
  isRead.value = left <= 0
  if (left <= 0 || left === Number.POSITIVE_INFINITY) return
  const timer = setTimeout(() => (isRead.value = true), left)
  return () => clearTimeout(timer)
})

export function focus(id: string | undefined): void {
  if (id === focusedId.peek()) return
  const { question: left } = dialog.peek()
  if (left) keepBegun(left, dialog.peek(), isEditing.peek())
  focusedId.value = id
  settled.value = undefined
  const question = questions.peek()?.find((each) => each.id === id)
  const before = question && begun.peek().get(question.id)
  const isSame = before?.inputSha256 === question?.inputSha256
  problem.value = before && !isSame ? HAS_CHANGED : undefined
  isEditing.value = isSame && before?.isEditing === true
  const shown = withQuestion(dialog.peek(), question, performance.now())
  dialog.value = before && isSame ? resumed(shown, before) : shown
  if (id !== undefined && question === undefined) void readSettled(id)
}

/** Moves through the list; a question that was settled meanwhile is left behind. */
export function move(step: 1 | -1): void {
  const open = questions.peek() ?? []
  const index = open.findIndex(({ id }) => id === focusedId.peek())
  const next = index === -1 ? open[0] : open[Math.min(Math.max(index + step, 0), open.length - 1)]
  if (next) focus(next.id)
}

async function readSettled(approvalId: string): Promise<void> {
  const found = await hub.call('getApproval', { approvalId }).catch((error: unknown) => {
    if (focusedId.peek() === approvalId) problem.value = sentenceOf(error)
  })
  if (found && focusedId.peek() === approvalId && found.status !== 'pending') settled.value = found
}

/** The list may change at any time. The focus stays; what was focused and is gone is shown as it ended. */
effect(() => {
  const open = questions.value
  if (open === undefined) return
  const id = focusedId.peek()
  if (id === undefined) {
    focus(open[0]?.id)
    return
  }
  const question = open.find((each) => each.id === id)
  const { question: before } = dialog.peek()
  if (before && question?.id === before.id && question.inputSha256 !== before.inputSha256) {
    isEditing.value = false
    problem.value = HAS_CHANGED
  }
  dialog.value = withQuestion(dialog.peek(), question, performance.now())
  if (question === undefined && settled.peek()?.id !== id) void readSettled(id)
  keepDraftsOf(new Set(open.map((each) => each.id)))
})

/** How far the answer came: only what happened to this very question is worth a request. */
onStep(({ events }) => {
  const ended = settled.peek()
  if (!ended) return
  const isAboutIt = events.some(
    ({ event }) =>
      ('approvalId' in event && event.approvalId === ended.id) ||
      ('toolUseId' in event && event.toolUseId === ended.toolUseId),
  )
  if (isAboutIt) void readSettled(ended.id)
})

/** The hub was away, or this page asleep: what is shown now has to be read before a key counts. */
effect(() => {
  if (connection.value !== 'live') return
  dialog.value = unread(dialog.peek(), performance.now())
  const ended = settled.peek()
  if (ended) void readSettled(ended.id)
})

effect(() => {
  if (route.value.page !== 'inbox') return
  // Who comes to the inbox wants what waits, not what was decided before they left it.
  if (route.value.questionId !== undefined) focus(route.value.questionId)
  else if (!dialog.peek().question) move(1)
})

/** A key, or the button that stands for it. */
export function choose(key: string): void {
  react(keyForQuestion(dialog.peek(), { text: key }, performance.now()))
}

/** A reason or a reply that was typed. */
export function send(text: string): void {
  react(keyForQuestion({ ...dialog.peek(), draft: lineOf(text) }, 'enter', performance.now()))
}

export function stepBack(): void {
  const { question, step, readableAt } = dialog.peek()
  if (question && isEditing.peek()) edits.drop(question.id)
  if (question && step === 'reason') reasons.drop(question.id)
  isEditing.value = false
  // It decides nothing, so it counts at once.
  const now = Math.max(performance.now(), readableAt + UNREAD_MS)
  react(keyForQuestion({ ...dialog.peek(), draft: EMPTY_LINE }, 'escape', now))
}

export function edited(input: Readonly<Record<string, unknown>>): void {
  isEditing.value = false
  dialog.value = withEdited(dialog.peek(), input, performance.now())
}

function react({ dialog: next, action }: { dialog: Dialog; action?: DialogAction }): void {
  if (!isAwake() || !isAnswerable.peek()) return
  dialog.value = next
  problem.value = undefined
  if (action) void act(action)
}

async function act(action: DialogAction): Promise<void> {
  const { question } = action
  try {
    if (action.type === 'edit') isEditing.value = true
    if (action.type === 'extend') await hub.call('extend', { approvalId: question.id })
    if (action.type === 'read offers') return await readOffers(question)
    if (action.type !== 'answer') return
    batch.value = undefined
    const { id: approvalId, sessionId, inputSha256 } = question
    const result = await hub.call('answer', { approvalId, sessionId, inputSha256, ...action.answer })
    if (focusedId.peek() === question.id) settled.value = { ...question, ...result }
  } catch (error) {
    if (focusedId.peek() !== question.id) return
    problem.value = sentenceOf(error)
    dialog.value = asked(dialog.peek(), performance.now())
    if (error instanceof HubError && error.code === 'already_settled') void readSettled(question.id)
  }
}

async function readOffers(question: PendingQuestion): Promise<void> {
  const { id: approvalId, sessionId } = question
  const offered = await hub.call('offerRules', { approvalId, sessionId }).catch(() => 'failed' as const)
  dialog.value = withOffers(dialog.peek(), question, offered)
}

/** What was chosen on the card of a question with options. */
export async function answerQuestions(question: PendingQuestion, answers: readonly string[]): Promise<void> {
  if (!isAwake() || !mayAnswer.peek()) return
  await act({ type: 'answer', question, answer: { answers: [...answers] } })
}

/** Fills in a form of a child's MCP server. */
export async function acceptForm(question: PendingQuestion, content: Record<string, unknown>): Promise<void> {
  if (!isAwake() || !mayAnswer.peek()) return
  await act({ type: 'answer', question, answer: { answers: ['accept'], content } })
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
