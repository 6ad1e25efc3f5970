import type { Caller } from './caller.ts'
import type { Identity } from './permission.ts'

/** What a program says, beside its token, of whoever is behind it. */
export interface Claim {
  /** A model drives it: it is no person, and has no bypass unless it says that it was given one. */
  readonly model: boolean
  readonly bypass?: boolean | undefined
  /** A client's word that a person has answered. The operator needs none, and a child is never believed. */
  readonly person?: boolean | undefined
}

/** A claim makes less of what the token gives, never more, but for the person behind a client. */
export function claimed(
  { id, kind, name, scopes }: Caller,
  { model, bypass = false, person = false }: Claim,
): Identity {
  return {
    id,
    kind,
    name,
    person: !model && (kind === 'operator' || (kind === 'client' && person)),
    scopes: model && !bypass ? scopes.filter((scope) => scope !== 'bypass') : scopes,
  }
}

/** The claim as headers of a request, for who calls a hub. */
export function claimHeaders({ kind, person, scopes }: Identity): Record<string, string> {
  if (person) return kind === 'client' ? { 'x-plexus-person': '1' } : {}
  return { 'x-plexus-model': scopes.includes('bypass') ? 'bypass' : '1' }
}

/** The claim that the headers of a request make. */
export function claimIn(headers: Readonly<Record<string, string | string[] | undefined>>): Claim {
  const { 'x-plexus-model': model, 'x-plexus-person': person } = headers
  return { model: model !== undefined, bypass: model === 'bypass', person: person === '1' }
}
