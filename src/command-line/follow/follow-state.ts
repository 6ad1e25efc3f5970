import type { Answer } from '../../approvals/answer.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { charactersOf } from '../views/columns.ts'
import { optionOf } from '../views/question-views.ts'

/**
 * What a person at a terminal does with the session that they follow: a pure state machine. A key counts only for the question
 * that was painted when it was pressed.
 */
export interface FollowState {
  /** The question on the screen. */
  readonly question: PendingQuestion | undefined
  /** When the question was painted; keys that come too soon after it were meant for something else. */
  readonly paintedAt: number
  /** `reason` and `text` take a line; `remember` waits for a second key. */
  readonly step: 'choose' | 'remember' | 'reason' | 'text'
  readonly draft: string
  readonly isBusy: boolean
}

export type FollowAction =
  | { readonly type: 'answer'; readonly question: PendingQuestion; readonly answer: Answer }
  | { readonly type: 'show'; readonly question: PendingQuestion }
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'interrupt' }
  | { readonly type: 'leave' }

export interface Reaction {
  readonly state: FollowState
  readonly action?: FollowAction
}

export const initialFollowState: FollowState = {
  question: undefined,
  paintedAt: 0,
  step: 'choose',
  draft: '',
  isBusy: true,
}

/** Keys within this time after a question appeared were pressed before a person could read it. */
export const UNREAD_MS = 400

/** The oldest open question is shown. Another question than before clears whatever was typed for that one. */
export function withQuestions(
  state: FollowState,
  open: readonly PendingQuestion[],
  now: number,
): FollowState {
  const [question] = open
  if (question?.id === state.question?.id) return state
  const step = question ? firstStep(question) : 'choose'
  return { ...state, question, step, draft: '', paintedAt: now }
}

export type Key = { readonly text: string } | 'enter' | 'backspace' | 'escape' | 'ctrl-c' | 'up' | 'down'

export function pressed(state: FollowState, key: Key, now: number): Reaction {
  if (key === 'ctrl-c') return interrupted(state)
  if (key === 'up' || key === 'down') return { state }
  const { question } = state
  if (!question) return typed(state, key, (text) => ({ type: 'say', text }))
  if (now - state.paintedAt < UNREAD_MS) return { state }
  if (key === 'escape') return { state: { ...state, step: firstStep(question), draft: '' } }
  switch (state.step) {
    case 'choose':
      return typeof key === 'string' ? { state } : chosen(state, question, key.text)
    case 'remember':
      return typeof key !== 'string' && key.text === 's'
        ? answered(state, question, { approve: true, remember: 'session' })
        : { state: { ...state, step: 'choose' } }
    case 'reason':
      return typed(state, key, (text) => ({ type: 'answer', question, answer: denial(text) }), true)
    case 'text':
      return typed(state, key, (text) => ({
        type: 'answer',
        question,
        answer: { answers: [optionOf(question.questions[0], text)] },
      }))
  }
}

function chosen(state: FollowState, question: PendingQuestion, text: string): Reaction {
  switch (text) {
    case 'a':
      return question.kind === 'question' ? { state } : answered(state, question, { approve: true })
    case 's':
      return question.kind === 'tool' ? { state: { ...state, step: 'remember' } } : { state }
    case 'd':
      return { state: { ...state, step: 'reason', draft: '' } }
    case 'v':
      return { state, action: { type: 'show', question } }
    default:
      return { state }
  }
}

/** From here on no key counts for this question, until it is settled and another is painted. */
function answered(state: FollowState, question: PendingQuestion, answer: Answer): Reaction {
  const settling = { ...state, step: 'choose', draft: '', paintedAt: Number.POSITIVE_INFINITY } as const
  return { state: settling, action: { type: 'answer', question, answer } }
}

/** A line that is being typed. */
function typed(
  state: FollowState,
  key: Exclude<Key, 'ctrl-c' | 'up' | 'down'>,
  actionFor: (text: string) => FollowAction,
  mayBeEmpty = false,
): Reaction {
  const { draft } = state
  if (key === 'backspace') return { state: { ...state, draft: charactersOf(draft).slice(0, -1).join('') } }
  if (key === 'escape') return { state: { ...state, draft: '' } }
  if (key !== 'enter') return { state: { ...state, draft: draft + key.text } }
  if (draft.trim() === '' && !mayBeEmpty) return { state }
  const action = actionFor(draft.trim())
  if (action.type === 'answer') return answered(state, action.question, action.answer)
  return { state: { ...state, draft: '' }, action }
}

/** First it clears what is typed, then it ends the turn, then it leaves the session as it is. */
function interrupted(state: FollowState): Reaction {
  if (state.draft !== '') return { state: { ...state, draft: '' } }
  if (state.isBusy) return { state: { ...state, isBusy: false }, action: { type: 'interrupt' } }
  return { state, action: { type: 'leave' } }
}

/** Several questions at once are answered by a command, which takes an answer for each. */
function firstStep({ kind, questions }: PendingQuestion): FollowState['step'] {
  return kind === 'question' && questions.length === 1 ? 'text' : 'choose'
}

function denial(reason: string): Answer {
  return reason === '' ? { approve: false } : { approve: false, message: reason }
}
