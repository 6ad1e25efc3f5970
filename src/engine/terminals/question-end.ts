import type { TerminalEnd } from '../../base/answer-via.ts'

/** What can be seen of a question from outside the CLI that asks it. */
export type Sign =
  /**
   * What the CLI says of itself now. `isSpent`: it has waited since a moment at which an earlier question was asked that is
   * settled by now, so this may be what it said before it came to this question.
   */
  | { readonly type: 'status'; readonly isWaiting: boolean; readonly isSpent: boolean }
  /** The time in which its dialog must have been seen is over. */
  | { readonly type: 'deadline' }
  /** The relay ended, or was ended by its CLI. */
  | { readonly type: 'relay gone' }
  /** The call has a result in the transcript, or a hook has decided it. */
  | { readonly type: 'call over'; readonly byHook: boolean }

export interface TerminalQuestionState {
  /** A sub-agent asks. One in the background has no dialog while its hooks run. */
  readonly isAgent: boolean
  /** No other question of this terminal was open when it was asked. */
  readonly isAlone: boolean
  /** Whether the terminal waits now. */
  readonly isWaiting: boolean
  /** Its dialog is known to be on the screen. */
  readonly isShown: boolean
  /** Why it is over here; nothing changes after that. */
  readonly end?: TerminalEnd | undefined
}

export function newTerminalQuestion(
  about: Pick<TerminalQuestionState, 'isAgent' | 'isAlone'>,
): TerminalQuestionState {
  return { ...about, isWaiting: false, isShown: false }
}

/**
 * When a question of a terminal is over without an answer from here. Pure. A question is held only while its dialog is on the
 * screen: what is not seen there in time is left to the terminal, because a CLI may wait for its hooks before it shows a dialog.
 */
export function afterSign(state: TerminalQuestionState, sign: Sign): TerminalQuestionState {
  if (state.end !== undefined) return state
  switch (sign.type) {
    case 'status': {
      const { isWaiting } = sign
      if (state.isShown) return isWaiting ? state : over({ ...state, isWaiting }, 'answered in the terminal')
      return { ...state, isWaiting, isShown: isWaiting && !sign.isSpent && isOwnDialog(state) }
    }
    case 'deadline':
      if (state.isShown) return state
      // It waits since an earlier question: a CLI that asks twice in a moment may not say so twice.
      if (state.isWaiting && !state.isAgent) return { ...state, isShown: true }
      return over(state, 'left to the terminal')
    case 'relay gone':
      return over(state, 'answered in the terminal')
    case 'call over':
      return over(state, sign.byHook ? 'decided by a hook' : 'answered in the terminal')
  }
}

/** While another question is open, a dialog may be that one's; only of the main conversation it is known that it has its own. */
function isOwnDialog({ isAgent, isAlone }: TerminalQuestionState): boolean {
  return !isAgent || isAlone
}

function over(state: TerminalQuestionState, end: TerminalEnd): TerminalQuestionState {
  return { ...state, end }
}
