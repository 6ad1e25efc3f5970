import { visibleText } from '../text/visible-text.ts'
import type { Caller } from './access-rules.ts'

/**
 * The caller that answers by a form at a client, with the rights of the client's caller. The name says how much is known: a
 * form comes back from a program, and it counts as a person's answer only where a person is known to use the client.
 */
export function formAnswerer(caller: Caller, client: string, person: boolean): Caller {
  const formClient = Array.from(visibleText(client).replaceAll('\n', ' ')).slice(0, MAX_CHARACTERS).join('')
  const answerer = person ? `a person at ${formClient}` : `form at ${formClient}, no person known`
  const name = caller.kind === 'client' ? `${answerer} (${caller.name})` : answerer
  return { ...caller, person, via: 'form', formClient, name }
}

const MAX_CHARACTERS = 60
