import type { Answer } from '../../approvals/answer.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Key } from '../terminal/terminal-keys.ts'
import { EMPTY_LINE, isEmptyLine, lineAfterKey, textOf } from '../terminal/typed-line.ts'
import { type Dialog, firstStep, isSettling, UNREAD_MS } from './dialog.ts'
import { choicesOf } from './dialog-choices.ts'
import { keyLines, unknownKeyLine } from './dialog-help.ts'
import { needsOffers } from './dialog-offers.ts'
import { withHour, withNextRule, withNextScope } from './dialog-scope.ts'
import { replyOf, replyProblem } from '../views/reply-text.ts'

export type DialogAction =
  | { readonly type: 'answer'; readonly question: PendingQuestion; readonly answer: Answer }
  | { readonly type: 'show' | 'edit' | 'extend' | 'read offers'; readonly question: PendingQuestion }

export interface DialogReaction {
  readonly dialog: Dialog
  readonly action?: DialogAction
}

/** A key for the question. Pure. */
export function keyForQuestion(before: Dialog, key: Key, now: number): DialogReaction {
  const { question } = before
  if (!question || isSettling(before)) return { dialog: before }
  // A person who types without a pause has not read it yet.
  if (isUnread(before, now)) return { dialog: { ...before, readableAt: now, note: [IGNORED] } }
  const dialog = { ...before, note: undefined }
  if (key === 'escape') return { dialog: stepBack(dialog) }
  if (asksForKeys(dialog, key)) return { dialog: { ...dialog, note: keyLines(dialog) } }
  switch (dialog.step) {
    case 'choose':
    case 'wider':
    case 'sure':
    case 'dismiss':
    case 'edited':
      return typeof key === 'object' ? chosen(dialog, question, key.text) : { dialog }
    case 'reason':
      return typed(dialog, key, (text) =>
        answered(dialog, question, text === '' ? { approve: false } : { approve: false, message: text }),
      )
    case 'reply':
      return typed(dialog, key, (text) => (text === '' ? { dialog } : replied(dialog, question, text)))
  }
}

/** In the middle of a line, and in a reason, it is a character like any other. */
function asksForKeys({ step, draft }: Dialog, key: Key): boolean {
  return typeof key === 'object' && key.text === '?' && step !== 'reason' && isEmptyLine(draft)
}

export function isUnread({ readableAt }: Dialog, now: number): boolean {
  return now - readableAt < UNREAD_MS
}

/** Only a key that is offered does something. */
function chosen(dialog: Dialog, question: PendingQuestion, letter: string): DialogReaction {
  const choice = choicesOf(dialog).find(({ key }) => key === letter)
  if (!choice) {
    const first = { ...dialog, step: 'choose', edited: undefined, remember: undefined } as const
    return { dialog: { ...first, note: [unknownKeyLine(first, letter)] } }
  }
  switch (choice.does) {
    case 'answer':
      return answered(dialog, question, choice.answer)
    case 'scope':
      return { dialog: withNextScope(dialog) }
    case 'hour':
      return { dialog: withHour(dialog) }
    case 'rule':
      return { dialog: withNextRule(dialog) }
    case 'wider':
      return opened({ ...dialog, step: 'wider', draft: EMPTY_LINE }, question)
    case 'show':
    case 'edit':
    case 'extend':
      return { dialog, action: { type: choice.does, question } }
    default:
      return { dialog: { ...dialog, step: choice.does, draft: EMPTY_LINE } }
  }
}

/** The rules that could be remembered are read when the person first sees that part. */
function opened(dialog: Dialog, question: PendingQuestion): DialogReaction {
  if (!needsOffers(dialog)) return { dialog }
  return { dialog: { ...dialog, offered: 'loading' }, action: { type: 'read offers', question } }
}

/** From here on no key counts for this question, until it is settled and another is painted. */
function answered(dialog: Dialog, question: PendingQuestion, answer: Answer): DialogReaction {
  const settling = {
    ...dialog,
    step: 'choose',
    draft: EMPTY_LINE,
    readableAt: Number.POSITIVE_INFINITY,
  } as const
  return { dialog: settling, action: { type: 'answer', question, answer } }
}

/** What is asked is answered one after the other, and all of it is sent at once. */
function replied(dialog: Dialog, question: PendingQuestion, text: string): DialogReaction {
  const current = question.questions[dialog.replies.length]
  const problem = replyProblem(current, text)
  if (problem !== undefined) return { dialog: { ...dialog, draft: EMPTY_LINE, note: [problem] } }
  const replies = [...dialog.replies, replyOf(current, text)]
  if (replies.length < question.questions.length) return { dialog: { ...dialog, replies, draft: EMPTY_LINE } }
  return answered(dialog, question, { answers: replies })
}

/** A line that is being typed. */
function typed(dialog: Dialog, key: Key, enter: (text: string) => DialogReaction): DialogReaction {
  if (key === 'enter') return enter(textOf(dialog.draft).trim())
  return { dialog: { ...dialog, draft: lineAfterKey(dialog.draft, key) } }
}

/** First what is typed, then the reply before, then the menu. */
function stepBack(dialog: Dialog): Dialog {
  const { step, draft, replies } = dialog
  if (!isEmptyLine(draft)) return { ...dialog, draft: EMPTY_LINE }
  if (step === 'sure') return { ...dialog, step: 'wider' }
  if (step === 'reply')
    return replies.length > 0 ? { ...dialog, replies: replies.slice(0, -1) } : { ...dialog, step: 'choose' }
  return {
    ...dialog,
    step: step === 'choose' ? firstStep(dialog) : 'choose',
    edited: undefined,
    remember: undefined,
  }
}

/** A key that does nothing without a sign looks like a broken one. */
export const IGNORED = 'Key ignored: the question had just appeared. Press it again.'
