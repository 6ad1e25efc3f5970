import { oneLine } from '../views/session-words.ts'
import { type Choice, choicesOf } from './dialog-choices.ts'
import type { Dialog } from './dialog.ts'

/** What each key does, in a line each: `?` shows it. Pure. */
export function keyLines(dialog: Dialog): string[] {
  const keys = choicesOf(dialog).map((choice) => `${choice.key}  ${explained(choice)}`)
  const typing = keys.length === 0 ? ['Type a number or a text; Enter sends it.'] : []
  const { leaving } = dialog.setting
  return [...typing, ...keys, 'Esc goes back one step.', ...(leaving === undefined ? [] : [leaving])]
}

export function unknownKeyLine(dialog: Dialog, key: string): string {
  const keys = choicesOf(dialog).map((choice) => choice.key)
  return `${oneLine(key) || 'Space'} is no key here. The keys are ${keys.join(', ')}; ? explains them.`
}

/** For a screen on which choices have numbers. */
export function wrongNumberLine(typed: string, count: number): string {
  return `${oneLine(typed).slice(0, MAX_TYPED)} is none of these; type a number from 1 to ${count}.`
}

function explained({ does, label, key }: Choice): string {
  switch (does) {
    case 'show':
      return 'print all of it'
    case 'edit':
      return 'change what would run, in your editor; it runs only after another key'
    case 'extend':
      return 'give it more time before it is denied'
    case 'scope':
      return 'remember it elsewhere: each press shows the next wider place, then the narrowest'
    case 'rule':
      return 'remember another rule: each press shows the next wider one, then the exact call again'
    case 'sure':
      return `${label}; what it would have allowed is shown first`
    case 'wider':
      return key === 's' && label.startsWith('stop')
        ? `${label}; the same key confirms it`
        : `${label}; what would be remembered is shown first`
    case 'dismiss':
      return 'end it for good, without an answer; the same key confirms it'
    case 'reason':
      return `${label}; you may say why`
    case 'reply':
      return 'type a number or a text'
    case 'hour':
      return label
    case 'answer':
      return key === 'a' ? `${label}: exactly what is shown above` : label
  }
}

const MAX_TYPED = 40
