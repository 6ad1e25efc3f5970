import type { CallerRecord } from './caller.ts'

/** What a person can give to a client beyond its own sessions. */
export const SCOPES = ['transcripts', 'bypass'] as const

/** The scopes that a person has given to clients in `config.json`, by the name of the client. */
export type ClientScopes = Readonly<Record<string, readonly string[]>>

type Scoped = Pick<CallerRecord, 'kind' | 'name' | 'scopes'>

/** Of a client the configuration of this moment decides, of all others their record. */
export function scopesOf(
  { kind, name, scopes }: Scoped,
  clientScopes: () => ClientScopes,
): readonly string[] {
  if (kind !== 'client') return scopes
  const given = new Map(Object.entries(clientScopes())) // a client may be called `constructor`
  return given.get(name) ?? []
}

/** The token of a child that was not created as nested allows it to ask for itself, and nothing else. */
export function asksOnly({ kind, scopes }: Pick<CallerRecord, 'kind' | 'scopes'>): boolean {
  return kind === 'session' && !scopes.includes('nested')
}

/** Whether the caller may read the conversations of the CLI that are not sessions of Plexus. */
export function mayReadTranscripts({ kind, scopes }: Pick<CallerRecord, 'kind' | 'scopes'>): boolean {
  return kind === 'operator' || kind === 'device' || scopes.includes('transcripts')
}

/** A child and a device never have the scope `bypass`, whatever their tokens say. */
export function mayBypass(caller: Pick<CallerRecord, 'kind' | 'scopes'>): boolean {
  return (caller.kind === 'operator' || caller.kind === 'client') && caller.scopes.includes('bypass')
}
