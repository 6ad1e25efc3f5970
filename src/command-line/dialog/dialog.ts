import type { PendingQuestion, RuleOffers } from '../../engine/engine.ts'
import { EMPTY_LINE, type TypedLine } from '../terminal/typed-line.ts'
import type { ChosenScope } from './dialog-scope.ts'

/**
 * What a person does with the question on their screen: a pure state machine. A key counts only for the question that was
 * painted when it was pressed.
 */
export interface Dialog {
  /** The question on the screen. */
  readonly question: PendingQuestion | undefined
  /**
   * When the person could begin to read; keys that come too soon after it were meant for something else. Infinite while an
   * answer is on its way.
   */
  readonly readableAt: number
  readonly step: Step
  /** What is being typed for this question. */
  readonly draft: TypedLine
  /** The replies so far, where several things are asked. */
  readonly replies: readonly string[]
  /** The input after it was edited. */
  readonly edited?: Readonly<Record<string, unknown>> | undefined
  /** Where and how long the answer is remembered; undefined until the person has chosen. */
  readonly remember?: ChosenScope | undefined
  /** The rules that this question offers; undefined until the person has opened that part. */
  readonly offered?: Offered | undefined
  /** What a person should know of their last key, until the next. */
  readonly note?: readonly string[] | undefined
  readonly setting: DialogSetting
}

export interface DialogSetting {
  /** There is an editor to open the input in. */
  readonly mayEdit: boolean
  /** Where something is to be chosen, the reply is typed at once; otherwise after a key. */
  readonly repliesAtOnce: boolean
  /** How the person leaves the screen, as a sentence. */
  readonly leaving?: string | undefined
}

/** The rules that can be remembered in place of the exact call. */
export type Offered = RuleOffers | 'loading' | 'failed'

/** `wider`, `sure`, `dismiss` and `edited` wait for another key; `reason` and `reply` take a line. */
export type Step = 'choose' | 'wider' | 'sure' | 'dismiss' | 'edited' | 'reason' | 'reply'

/** Keys within this time after a question appeared were pressed before a person could read it. */
export const UNREAD_MS = 400

export function emptyDialog(setting: DialogSetting): Dialog {
  return { question: undefined, readableAt: 0, step: 'choose', draft: EMPTY_LINE, replies: [], setting }
}

/** The question is shown. Another question than before, or another input, drops whatever was typed for that one. */
export function withQuestion(dialog: Dialog, question: PendingQuestion | undefined, now: number): Dialog {
  const { question: before } = dialog
  if (question?.id === before?.id && question?.inputSha256 === before?.inputSha256)
    return question === before ? dialog : { ...dialog, question }
  return {
    ...emptyDialog(dialog.setting),
    question,
    step: firstStep({ ...dialog, question }),
    readableAt: now,
  }
}

/** An answer was refused, and the question is open as before. */
export function asked(dialog: Dialog, now: number): Dialog {
  return withQuestion({ ...dialog, question: undefined }, dialog.question, now)
}

/** The person could not see it for a while, so that keys on their way were meant for something else. */
export function unread(dialog: Dialog, now: number): Dialog {
  return isSettling(dialog) ? dialog : { ...dialog, readableAt: now }
}

/** The person has edited the input, and sees it. */
export function withEdited(dialog: Dialog, edited: Readonly<Record<string, unknown>>, now: number): Dialog {
  return { ...dialog, step: 'edited', draft: EMPTY_LINE, edited, readableAt: now }
}

export function isSettling({ readableAt }: Dialog): boolean {
  return readableAt === Number.POSITIVE_INFINITY
}

/** Whether every key belongs to the line that is typed. */
export function isTyping({ question, step }: Dialog): boolean {
  return question !== undefined && (step === 'reason' || step === 'reply')
}

export function firstStep({ question, setting }: Dialog): Step {
  return question?.kind === 'question' && setting.repliesAtOnce ? 'reply' : 'choose'
}
