import { chosenOffer, offersOf } from '../../../src/command-line/dialog/dialog-offers.ts'
import { withRule } from '../../../src/command-line/dialog/dialog-scope.ts'
import { offerSentence } from '../../../src/command-line/dialog/offer-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { dialog } from '../inbox/inbox-state.ts'

/** Which rule is remembered: the exact call, or one that the question offers, with what that would have allowed before. */
export function RememberRule() {
  const { offered } = dialog.value
  if (offered === 'failed') return <p role="alert">Which other rules there are could not be read.</p>
  if (typeof offered !== 'object') return <p role="status">Reading which other rules there are …</p>
  const offers = offersOf(dialog.value)
  if (offers.length === 0) return null
  const chosen = chosenOffer(dialog.value)
  return (
    <fieldset>
      <legend>What is remembered, the narrowest first:</legend>
      <RuleChoice isChosen={chosen === undefined} text="exactly this call" />
      {offers.map((offer) => (
        <RuleChoice
          key={offer.id}
          ruleId={offer.id}
          isChosen={offer.id === chosen?.id}
          text={offer.text}
          before={offerSentence(offer, offered.compared)}
          isWarned={offer.needsYes}
        />
      ))}
    </fieldset>
  )
}

interface RuleChoiceProps {
  readonly ruleId?: string
  readonly isChosen: boolean
  readonly text: string
  readonly before?: string
  readonly isWarned?: boolean
}

function RuleChoice({ ruleId, isChosen, text, before, isWarned = false }: RuleChoiceProps) {
  return (
    <label class="rule-choice">
      <input
        type="radio"
        name="remember-rule"
        checked={isChosen}
        onChange={() => (dialog.value = withRule(dialog.peek(), ruleId))}
      />{' '}
      {visibleText(text)}
      {before !== undefined && <small class={isWarned ? 'attention' : 'faint'}> {visibleText(before)}</small>}
    </label>
  )
}
