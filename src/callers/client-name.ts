/**
 * Whether a client may have this name. The name is stored with each answer of the client, so it cannot be a word that means
 * another caller there: the operator, the owner of a tree, a person, a session.
 */
export function isClientName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name.toLowerCase()) && !UUID.test(name)
}

/** The rule as a sentence, after what the name was given as. */
export const INVALID_CLIENT_NAME =
  'must be a name of at most 64 letters, digits, dots, dashes and underscores that begins with a letter or digit, and neither a UUID nor operator, owner, person or session.'

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/
const RESERVED: ReadonlySet<string> = new Set(['operator', 'owner', 'person', 'session'])
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
