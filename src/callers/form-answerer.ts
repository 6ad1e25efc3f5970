import { visibleText } from '../text/visible-text.ts'
import type { Caller } from './access-rules.ts'

/**
 * Whoever answers by a form at a client, with the rights of the client's caller. The name says how much is known: a form
 * comes back from a program, and only where a person is known to sit is the answer a person's.
 */
export function formAnswerer(caller: Caller, client: string, person: boolean): Caller {
  const at = Array.from(visibleText(client).replaceAll('\n', ' ')).slice(0, MOST_CHARACTERS).join('')
  const who = person ? `a person at ${at}` : `form at ${at}, no person known`
  const name = caller.kind === 'client' ? `${who} (${caller.name})` : who
  return { ...caller, person, via: 'form', at, name }
}

const MOST_CHARACTERS = 60
