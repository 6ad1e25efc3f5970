import type { Answer } from '../../approvals/answer.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Dialog } from './dialog.ts'

/** Where an answer is remembered, in the order in which a person is offered it: the usual one first. */
export const SCOPE_WORDS = {
  session: 'in this session',
  turn: 'until this turn ends',
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
}

const FIRST: ChosenScope = { scope: 'session', hour: false }
const HOUR_SECONDS = 3_600

export function chosenScope({ remember = FIRST }: Dialog): ChosenScope {
  return remember
}

/** Those that this question can be remembered in. */
export function scopesOf({ remembers }: PendingQuestion): readonly ScopeChoice[] {
  return (['session', 'turn', 'tree', 'folder', 'always'] as const).filter(
    (scope) => remembers?.scopes[scope],
  )
}

export function withScope(dialog: Dialog, scope: ScopeChoice): Dialog {
  return { ...dialog, remember: { ...chosenScope(dialog), scope } }
}

/** The next in order, and after the last the first. */
export function withNextScope(dialog: Dialog): Dialog {
  const scopes = dialog.question ? scopesOf(dialog.question) : []
  const index = scopes.indexOf(chosenScope(dialog).scope)
  return withScope(dialog, scopes[(index + 1) % scopes.length] ?? 'session')
}

export function withHour(dialog: Dialog): Dialog {
  const chosen = chosenScope(dialog)
  return { ...dialog, remember: { ...chosen, hour: !chosen.hour } }
}

export function scopeAnswer(dialog: Dialog): Answer {
  const { scope, hour } = chosenScope(dialog)
  return { approve: true, remember: scope, ...(hour ? { rememberSeconds: HOUR_SECONDS } : {}) }
}

/** In words: where, and for how long. */
export function scopeWords(dialog: Dialog): string {
  const { scope, hour } = chosenScope(dialog)
  return `${SCOPE_WORDS[scope]}${hour ? ', for 1 hour at most' : ''}`
}

/** The very text of each rule that would be stored; the time of its end is added when it is. */
export function scopeTexts(dialog: Dialog): readonly string[] {
  return dialog.question?.remembers?.scopes[chosenScope(dialog).scope] ?? []
}
