import type { CallerRecord } from './caller.ts'
import { formAnswerer } from './form-answerer.ts'
import type { Caller } from './access-rules.ts'

/** What a program claims, beside its token, about the model or person that drives it. */
export interface CallerClaim {
  /** A model drives the program: the caller is no person, and has no bypass unless `bypass` is claimed as well. */
  readonly model: boolean
  readonly bypass?: boolean | undefined
  /** A client claims that a person has answered. The operator needs no such claim, and a child is never believed. */
  readonly person?: boolean | undefined
  /** The way of answering that the program offers, if it is a program of Plexus. */
  readonly via?: ClaimedVia | undefined
  /** With `form`: the client at which the form was filled in. */
  readonly formClient?: string | undefined
}

/** The ways that programs of Plexus offer: `plexus mcp` and the command line. No program can claim a decision without an answer (`rule`, `expiry`). */
const CLAIMABLE_VIAS = ['form', 'tool', 'command_line'] as const
type ClaimedVia = (typeof CLAIMABLE_VIAS)[number]

/**
 * A claim reduces what the token gives and never adds to it, except for the person who uses a client. `via` is for the
 * record only: a program with the operator's or a client's token can claim one falsely. A child has no forms.
 */
export function callerFromClaim({ id, kind, name, scopes }: CallerRecord, claim: CallerClaim): Caller {
  const { model, bypass = false, person = false, via, formClient = 'a client' } = claim
  const identity: Caller = {
    id,
    kind,
    name,
    person: !model && (kind === 'operator' || kind === 'device' || (kind === 'client' && person)),
    scopes: model && !bypass ? scopes.filter((scope) => scope !== 'bypass') : scopes,
  }
  if (kind === 'device') return { ...identity, via: 'page' }
  if (via === 'form')
    return kind === 'session' ? identity : formAnswerer(identity, formClient, identity.person)
  return via === undefined ? identity : { ...identity, via }
}

/** Encodes the claim as headers of a request to a hub. */
export function claimHeaders({ kind, person, scopes, via, formClient }: Caller): Record<string, string> {
  const viaHeader = CLAIMABLE_VIAS.some((claimable) => claimable === via) ? { 'x-plexus-via': `${via}` } : {}
  const clientHeader =
    formClient === undefined ? {} : { 'x-plexus-at': Buffer.from(formClient).toString('base64url') }
  if (person)
    return { ...viaHeader, ...clientHeader, ...(kind === 'client' ? { 'x-plexus-person': '1' } : {}) }
  return { ...viaHeader, ...clientHeader, 'x-plexus-model': scopes.includes('bypass') ? 'bypass' : '1' }
}

/** Decodes the claim from the headers of a request. */
export function claimFromHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): CallerClaim {
  const {
    'x-plexus-model': model,
    'x-plexus-person': person,
    'x-plexus-via': via,
    'x-plexus-at': at,
  } = headers
  return {
    model: model !== undefined,
    bypass: model === 'bypass',
    person: person === '1',
    via: CLAIMABLE_VIAS.find((claimable) => claimable === via),
    formClient: typeof at === 'string' ? Buffer.from(at, 'base64url').toString() : undefined,
  }
}
