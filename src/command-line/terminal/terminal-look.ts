import type { Style } from '../views/session-words.ts'
import { asciiText, isUtf8 } from './character-set.ts'

/** How text is shown on a terminal. */
export interface TerminalLook {
  readonly style: (style: Style, text: string) => string
  /** For a terminal that does not read UTF-8. */
  readonly encode: (text: string) => string
  /** Nothing is repainted: a screen reader reads it, or the terminal cannot do it. */
  readonly isPlain: boolean
}

export const BARE_LOOK: TerminalLook = {
  style: (_, text) => text,
  encode: (text) => text,
  isPlain: false,
}

export function terminalLook(
  env: Readonly<Record<string, string | undefined>>,
  style: TerminalLook['style'],
): TerminalLook {
  const isAccessible = Boolean(env['PLEXUS_ACCESSIBLE']) && env['PLEXUS_ACCESSIBLE'] !== '0'
  return {
    style,
    encode: isUtf8(env) ? BARE_LOOK.encode : asciiText,
    isPlain: isAccessible || env['TERM'] === 'dumb',
  }
}
