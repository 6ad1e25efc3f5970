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
import { questions } from '../hub/hub-state.ts'
import { mayAllowTogether } from './alike-questions.ts'
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
/** The questions that are answered as one decision. */
export const selected = signal<ReadonlySet<string>>(new Set())

/** The last decision over several, until the next answer. */
export const batch = signal<Batch | undefined>(undefined)

/** Only what is live can be answered: otherwise it may be another question by now. */
const isAnswerable = computed(() => connection.value === 'live' && storedScope() !== 'read')
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

/** Whether what is selected has been in front of the person long enough; each change of it begins anew. */
const isSelectionRead = signal(false)
/** Not while something is begun on the card: what it shows is then not what the selection would allow. */
export const isCardBegun = computed(() => {
  const { question, step } = dialog.value
  return isEditing.value || (question !== undefined && step !== 'choose' && step !== 'reply')
})
export const mayAnswerSelected = computed(
  () => isAnswerable.value && isSelectionRead.value && !isCardBegun.value,
)

effect(() => {
  if (selected.value.size === 0) return
  isSelectionRead.value = false
  const timer = setTimeout(() => (isSelectionRead.value = true), UNREAD_MS)
  return () => clearTimeout(timer)
})

export function focus(id: string | undefined): void {
  if (id === focusedId.peek()) return
  focusedId.value = id
  settled.value = undefined
  problem.value = undefined
  isEditing.value = false
  const question = questions.peek()?.find((each) => each.id === id)
  dialog.value = withQuestion(dialog.peek(), question, performance.now())
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
  dialog.value = withQuestion(dialog.peek(), question, performance.now())
  if (question === undefined) void readSettled(id)
  const ids = new Set(open.map((each) => String(each.id)))
  if ([...selected.peek()].some((each) => !ids.has(each)))
    selected.value = new Set([...selected.peek()].filter((each) => ids.has(each)))
})

/** The hub was away, or this page asleep: what is shown now has to be read before a key counts. */
effect(() => {
  if (connection.value === 'live') dialog.value = unread(dialog.peek(), performance.now())
})

effect(() => {
  if (route.value.page === 'inbox' && route.value.questionId !== undefined) focus(route.value.questionId)
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
  isEditing.value = false
  react(keyForQuestion({ ...dialog.peek(), draft: EMPTY_LINE }, 'escape', performance.now()))
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

export function toggleSelected(id: string): void {
  const next = new Set(selected.peek())
  if (!next.delete(id)) next.add(id)
  selected.value = next
}

/** One decision over all that are selected: all of them, or none. */
export async function answerSelected(approve: boolean): Promise<void> {
  const chosen = (questions.peek() ?? []).filter(({ id }) => selected.peek().has(id))
  if (chosen.length === 0 || !isAwake() || !mayAnswerSelected.peek()) return
  if (approve && !mayAllowTogether(chosen, dialog.peek().question)) return
  problem.value = undefined
  batch.value = undefined
  try {
    await hub.call('answerAll', {
      questions: chosen.map(({ id, sessionId, inputSha256 }) => ({
        approvalId: id,
        sessionId,
        inputSha256,
        approve,
      })),
    })
    selected.value = new Set()
    batch.value = { approve, questions: chosen }
  } catch (error) {
    batch.value = { approve, questions: chosen, problem: sentenceOf(error) }
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
