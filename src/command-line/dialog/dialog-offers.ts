import type { PendingQuestion, RuleOffers } from '../../engine/engine.ts'
import type { Dialog, Offered } from './dialog.ts'

export type Offer = RuleOffers['offers'][number]

/** The rules that were read, the narrowest first. */
export function offersOf({ offered }: Dialog): readonly Offer[] {
  return typeof offered === 'object' ? offered.offers : []
}

/** The offered rule that the person has chosen; undefined for the exact call. */
export function chosenOffer(dialog: Dialog): Offer | undefined {
  const ruleId = dialog.remember?.ruleId
  return ruleId === undefined ? undefined : offersOf(dialog).find(({ id }) => id === ruleId)
}

/** What was read for a question. It changes nothing if another one is on the screen by now, nor what is chosen. */
export function withOffers(
  dialog: Dialog,
  { id, inputSha256 }: Pick<PendingQuestion, 'id' | 'inputSha256'>,
  offered: Offered,
): Dialog {
  const { question } = dialog
  if (question?.id !== id || question.inputSha256 !== inputSha256) return dialog
  // They are read once: a rule must not change while it is chosen.
  return typeof dialog.offered === 'object' ? dialog : { ...dialog, offered }
}

/** Whether the rules are to be read now: the person opens the part that shows them. */
export function needsOffers({ question, offered }: Dialog): boolean {
  return question?.remembers !== undefined && (offered === undefined || offered === 'failed')
}
