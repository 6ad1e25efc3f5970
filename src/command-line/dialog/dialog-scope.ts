import type { Answer } from '../../approvals/answer.ts'
import type { Dialog } from './dialog.ts'
import { chosenOffer, offersOf } from './dialog-offers.ts'

/** Where an answer is remembered, from narrow to wide. */
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

/** Those that the chosen rule can be remembered in, from narrow to wide. */
export function scopesOf(dialog: Dialog): readonly ScopeChoice[] {
  const texts = chosenOffer(dialog)?.texts ?? dialog.question?.remembers?.scopes
  return (['turn', 'session', 'tree', 'folder', 'always'] as const).filter((scope) => texts?.[scope])
}

export function withScope(dialog: Dialog, scope: ScopeChoice): Dialog {
  return withChosen(dialog, { ...chosenScope(dialog), scope })
}

/** The next wider one, and after the widest the narrowest. */
function nextScope(dialog: Dialog): ScopeChoice {
  const scopes = scopesOf(dialog)
  return scopes[(scopes.indexOf(chosenScope(dialog).scope) + 1) % scopes.length] ?? 'session'
}

export function withNextScope(dialog: Dialog): Dialog {
  return withScope(dialog, nextScope(dialog))
}

/** What the key for the next scope would make of it; undefined if there is no other. */
export function nextScopeLabel(dialog: Dialog): string | undefined {
  const scopes = scopesOf(dialog)
  const [now, next] = [chosenScope(dialog).scope, nextScope(dialog)]
  if (scopes.length < 2) return undefined
  const isWider = scopes.indexOf(next) > scopes.indexOf(now)
  return `${isWider ? 'wider' : 'narrower'}: ${SCOPE_WORDS[next]}`
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
  if (hour) return `${SCOPE_WORDS[scope]}, for 1 hour${scope === 'turn' ? ' at most' : ''}`
  return scope === 'turn' ? SCOPE_WORDS.turn : `${SCOPE_WORDS[scope]}, until you revoke it`
}

/** The very text of each rule that would be stored; the time of its end is added when it is. */
export function scopeTexts(dialog: Dialog): readonly string[] {
  const { scope } = chosenScope(dialog)
  const offer = chosenOffer(dialog)
  if (offer) return [offer.texts[scope] ?? offer.text]
  return dialog.question?.remembers?.scopes[scope] ?? []
}
