import type { Answer } from '../../approvals/answer.ts'
import type { Dialog } from './dialog.ts'
import { chosenOffer, offersOf } from './dialog-offers.ts'

/** Where an answer is remembered, the narrowest first. */
export const SCOPE_WORDS = {
  turn: 'until this turn ends',
  session: 'in this session',
  tree: 'in its whole tree of sessions',
  folder: 'in all sessions in its folder, later ones too',
  always: 'in all sessions',
} as const
export type ScopeChoice = keyof typeof SCOPE_WORDS

/** What the person has chosen so far for a remembered answer. */
export interface ChosenScope {
  readonly scope: ScopeChoice
  /** It ends after an hour. */
  readonly hour: boolean
  /** The id of an offered rule, in place of the exact call. */
  readonly ruleId?: string | undefined
}

const FIRST: ChosenScope = { scope: 'session', hour: false }
const HOUR_SECONDS = 3_600

export function chosenScope({ remember = FIRST }: Dialog): ChosenScope {
  return remember
}

/** Those that the chosen rule can be remembered in. */
export function scopesOf(dialog: Dialog): readonly ScopeChoice[] {
  const texts = chosenOffer(dialog)?.texts ?? dialog.question?.remembers?.scopes
  return (['turn', 'session', 'tree', 'folder', 'always'] as const).filter((scope) => texts?.[scope])
}

export function withScope(dialog: Dialog, scope: ScopeChoice): Dialog {
  return withChosen(dialog, { ...chosenScope(dialog), scope })
}

/** The next wider one, and after the widest the narrowest. */
export function withNextScope(dialog: Dialog): Dialog {
  const scopes = scopesOf(dialog)
  const index = scopes.indexOf(chosenScope(dialog).scope)
  return withScope(dialog, scopes[(index + 1) % scopes.length] ?? 'session')
}

export function withHour(dialog: Dialog): Dialog {
  const chosen = chosenScope(dialog)
  return withChosen(dialog, { ...chosen, hour: !chosen.hour })
}

/** Chooses a rule by its id, or the exact call. Where the new rule cannot hold in the scope, it holds in the session. */
export function withRule(dialog: Dialog, ruleId: string | undefined): Dialog {
  const chosen = chosenScope(dialog)
  const texts = offersOf(dialog).find(({ id }) => id === ruleId)?.texts
  const scope = texts && texts[chosen.scope] === undefined ? 'session' : chosen.scope
  return withChosen(dialog, { ...chosen, scope, ruleId })
}

/** Only while the person is shown what is remembered; a second yes was for what was chosen before. */
function withChosen(dialog: Dialog, remember: ChosenScope): Dialog {
  if (dialog.step !== 'wider' && dialog.step !== 'sure') return dialog
  return { ...dialog, step: 'wider', remember }
}

/** The next wider one, and after the widest the exact call. */
export function withNextRule(dialog: Dialog): Dialog {
  const ids = [undefined, ...offersOf(dialog).map(({ id }) => id)]
  return withRule(dialog, ids[(ids.indexOf(chosenOffer(dialog)?.id) + 1) % ids.length])
}

export function scopeAnswer(dialog: Dialog): Answer {
  const { scope, hour } = chosenScope(dialog)
  const offer = chosenOffer(dialog)
  return {
    approve: true,
    remember: scope,
    ...(hour ? { rememberSeconds: HOUR_SECONDS } : {}),
    // Only the step `sure` has a key for such a rule: there the person has read what it would have allowed.
    ...(offer ? { rememberRule: offer.needsYes ? `${offer.id}-yes` : offer.id } : {}),
  }
}

/** In words: where, and for how long. */
export function scopeWords(dialog: Dialog): string {
  const { scope, hour } = chosenScope(dialog)
  return `${SCOPE_WORDS[scope]}${hour ? ', for 1 hour at most' : ''}`
}

/** The very text of each rule that would be stored; the time of its end is added when it is. */
export function scopeTexts(dialog: Dialog): readonly string[] {
  const { scope } = chosenScope(dialog)
  const offer = chosenOffer(dialog)
  if (offer) return [offer.texts[scope] ?? offer.text]
  return dialog.question?.remembers?.scopes[scope] ?? []
}
