/**
 * Whether a client may have this name. The name is stored with each answer of the client, so it cannot be a word that means
 * another caller there: the operator, the owner of a tree, a person, a session.
 */
export function isClientName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name.toLowerCase()) && !UUID.test(name)
}

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/
const RESERVED: ReadonlySet<string> = new Set(['operator', 'owner', 'person', 'session'])
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
