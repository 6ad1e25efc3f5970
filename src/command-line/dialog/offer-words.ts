import type { RuleOffers } from '../../engine/engine.ts'
import type { Offer } from './dialog-offers.ts'

/** What an offered rule would have allowed of the stored questions, as a sentence. It has texts of sessions in it. Pure. */
export function offerSentence({ newlyAllowed }: Offer, { questions, since }: RuleOffers['compared']): string {
  const { count, denied, examples } = newlyAllowed
  const day = new Date(since).toISOString().slice(0, 10)
  if (questions === 0) return `No question since ${day} is stored to compare it with.`
  const all = questions === 1 ? 'the 1 question' : `the ${questions} questions`
  if (count === 0) return `It would have allowed none of ${all} since ${day}.`
  const also = `It would also have allowed ${count} of ${all} since ${day}`
  if (denied === 0) return `${also}; none of these was denied.`
  // The first examples are those that were denied.
  const which = examples.slice(0, denied).map(({ question, call }) => `${question} ${call}`)
  const more = denied > which.length && which.length > 0 ? ' …' : ''
  const list = which.length === 0 ? '' : `: ${which.join('; ')}${more}`
  return `${also}, and ${denied} of these ${denied === 1 ? 'was' : 'were'} denied${list}.`
}
