import { deviceMay, hasDeviceScope } from './device-scope.ts'
import { asksOnly, mayReadTranscripts } from './scopes.ts'
import type { CallerKey, SessionKey } from '../base/ids.ts'
import type { Via } from '../base/answer-via.ts'
import type { CallerRecord } from './caller.ts'

/** The caller of a verb: an identity from a token, with the rights that this call has. */
export interface Caller extends Pick<CallerRecord, 'id' | 'kind' | 'name' | 'scopes'> {
  /** A person, or a program that a person drives; a model may not answer where a person is wanted. */
  readonly person: boolean
  /** The way the caller acts. Set by the transport that the call came through, never by an argument; it gives no rights. */
  readonly via?: Via | undefined
  /** With `form`: the client at which the form was filled in. */
  readonly formClient?: string | undefined
}

/** `issue` hands the session to a process at the machine of the hub: with a token that asks as it, or as a conversation. */
export const VERBS = ['read', 'say', 'answer', 'interrupt', 'change', 'fork', 'stop', 'issue', 'ask'] as const
export type Verb = (typeof VERBS)[number]

/** The fields of a session that decide which callers may access it. */
export interface SessionAccess {
  readonly id: SessionKey
  readonly owner: CallerKey
  /** The ids of its parent, the parent of that, and so on. */
  readonly ancestors: readonly SessionKey[]
  /** A conversation that a person has in a terminal. */
  readonly terminal?: true | undefined
}

/**
 * The one table of which caller may do what to a session. Authority comes from the caller's token; ids in arguments are
 * selectors. An operator may do everything but ask (only a child asks, for itself). A client may access the sessions that it
 * started. A device of a person may access all sessions, as far as its scope allows, and gets no tokens. A session may access those below it, and for itself it may only ask: it never answers its own questions, those of
 * its siblings, or those of its ancestors.
 */
export function mayAccess(caller: Caller, verb: Verb, session: SessionAccess): boolean {
  switch (caller.kind) {
    case 'operator':
      return verb !== 'ask'
    case 'client':
      if (session.terminal && OF_CONVERSATIONS.includes(verb) && mayReadTranscripts(caller)) return true
      return verb !== 'ask' && session.owner === caller.id
    case 'device':
      return deviceMay(caller.scopes, verb)
    case 'session':
      return verb === 'ask' ? session.id === caller.name : session.ancestors.includes(caller.name)
  }
}

/** What the scope `transcripts` gives to a client: that of any conversation of the CLI. */
const OF_CONVERSATIONS: readonly Verb[] = ['read', 'fork']

/**
 * Whether the caller may see what is asked in a terminal, and answer it as far as it may answer at all. Those questions are for
 * the person who sits there: a model and a client do not even see them.
 */
export function mayAnswerTerminals({ kind, person }: Pick<Caller, 'kind' | 'person'>): boolean {
  return person && (kind === 'operator' || kind === 'device')
}

/** Whether the caller may read every session. */
export function seesAll({ kind }: Pick<Caller, 'kind'>): boolean {
  return kind === 'operator' || kind === 'device'
}

/**
 * Whether the caller may read the record. It is about all sessions, those that were removed too, so neither a client nor a session
 * reads any of it, not even what is about its own sessions: those it reads by `decisions`.
 */
export function mayReadRecord({ kind }: Pick<Caller, 'kind'>): boolean {
  return seesAll({ kind })
}

/** Whether the caller may know of the session. A session that the caller may not see is reported as `not_found`. */
export function maySee(caller: Caller, session: SessionAccess): boolean {
  return mayAccess(caller, 'read', session) || (caller.kind === 'session' && session.id === caller.name)
}

/** The folders of the hub's machine are shown to a person who may begin a session in one, and to no model. */
export function mayListFolders(caller: Caller): boolean {
  if (!caller.person) return false
  return caller.kind === 'operator' || (caller.kind === 'device' && mayCreate(caller))
}

/** The rules of the home folder are shown to a person only: they say what is not asked about. */
export function mayReadRules(caller: Caller): boolean {
  return caller.person && seesAll(caller)
}

/** A rule that allows holds for every session, so a person adds it, who may also begin sessions. */
export function mayChangeRules(caller: Caller): boolean {
  return mayReadRules(caller) && mayCreate(caller)
}

export function mayCreate(caller: Caller): boolean {
  return caller.kind === 'device' ? hasDeviceScope(caller.scopes, 'operate') : !asksOnly(caller)
}

/**
 * Whether the caller may remember an answer for more than its session. A person must have chosen that, and a client sees only
 * its own sessions.
 */
export function mayRememberWidely(caller: Caller): boolean {
  return caller.person && mayEndWideGrants(caller)
}

/** To end what holds for many sessions takes a right to answer for all of them, and no person: it only narrows. */
export function mayEndWideGrants({ kind, scopes }: Pick<Caller, 'kind' | 'scopes'>): boolean {
  return kind === 'operator' || (kind === 'device' && deviceMay(scopes, 'answer'))
}
