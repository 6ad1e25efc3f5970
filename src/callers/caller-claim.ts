import type { CallerRecord } from './caller.ts'
import { formAnswerer } from './form-answerer.ts'
import type { Caller } from './access-rules.ts'

/** What a program says, beside its token, of whoever is behind it. */
export interface CallerClaim {
  /** A model drives it: it is no person, and has no bypass unless it says that it was given one. */
  readonly model: boolean
  readonly bypass?: boolean | undefined
  /** A client's word that a person has answered. The operator needs none, and a child is never believed. */
  readonly person?: boolean | undefined
  /** The face of Plexus that the program is, if it is one. */
  readonly via?: ClaimedVia | undefined
  /** With `form`: the client at which it was filled in. */
  readonly formClient?: string | undefined
}

/** `plexus mcp` has these two faces; what decides by itself (`rule`, `expiry`) no program can claim to be. */
const CLAIMABLE_VIAS = ['form', 'tool'] as const
type ClaimedVia = (typeof CLAIMABLE_VIAS)[number]

/**
 * A claim makes less of what the token gives, never more, but for the person behind a client. The way is for the record:
 * who has the operator's or a client's token can say `form` or `tool` for what came by neither. A child has no forms.
 */
export function callerFromClaim({ id, kind, name, scopes }: CallerRecord, claim: CallerClaim): Caller {
  const { model, bypass = false, person = false, via, formClient = 'a client' } = claim
  const identity: Caller = {
    id,
    kind,
    name,
    person: !model && (kind === 'operator' || (kind === 'client' && person)),
    scopes: model && !bypass ? scopes.filter((scope) => scope !== 'bypass') : scopes,
  }
  if (via === 'form')
    return kind === 'session' ? identity : formAnswerer(identity, formClient, identity.person)
  return via === undefined ? identity : { ...identity, via }
}

/** The claim as headers of a request, for who calls a hub. */
export function claimHeaders({ kind, person, scopes, via, formClient }: Caller): Record<string, string> {
  const viaHeader = CLAIMABLE_VIAS.some((one) => one === via) ? { 'x-plexus-via': `${via}` } : {}
  const clientHeader =
    formClient === undefined ? {} : { 'x-plexus-at': Buffer.from(formClient).toString('base64url') }
  if (person)
    return { ...viaHeader, ...clientHeader, ...(kind === 'client' ? { 'x-plexus-person': '1' } : {}) }
  return { ...viaHeader, ...clientHeader, 'x-plexus-model': scopes.includes('bypass') ? 'bypass' : '1' }
}

/** The claim that the headers of a request make. */
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
    via: CLAIMABLE_VIAS.find((one) => one === via),
    formClient: typeof at === 'string' ? Buffer.from(at, 'base64url').toString() : undefined,
  }
}
