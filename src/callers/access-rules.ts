import type { Via } from '../base/answer-via.ts'
import type { CallerRecord } from './caller.ts'

/** The caller of a verb: an identity from a token, with the rights that this call has. */
export interface Caller extends Pick<CallerRecord, 'id' | 'kind' | 'name' | 'scopes'> {
  /** A person, or a program that a person drives; a model may not answer where a person is wanted. */
  readonly person: boolean
  /** By which way they act. Said by the face that they came through, never by an argument; it gives no right to anything. */
  readonly via?: Via | undefined
  /** With `form`: the client at which it was filled in. */
  readonly formClient?: string | undefined
}

export const VERBS = ['read', 'say', 'answer', 'interrupt', 'change', 'fork', 'stop', 'ask'] as const
export type Verb = (typeof VERBS)[number]

/** The fields of a session that decide which callers may access it. */
export interface SessionAccess {
  readonly id: string
  readonly owner: string
  /** The sessions above it: its parent, that one's parent, … */
  readonly ancestors: readonly string[]
}

/**
 * The one table of who may do what to a session. Authority comes from the caller's token; ids in arguments are selectors.
 * An operator may do everything but ask (only a child asks, for itself). A client has the sessions that it started. A
 * session has those below it, and of itself nothing but its own questions: it never answers itself, its siblings, or upward.
 */
export function mayAccess(caller: Caller, verb: Verb, session: SessionAccess): boolean {
  switch (caller.kind) {
    case 'operator':
      return verb !== 'ask'
    case 'client':
      return verb !== 'ask' && session.owner === caller.id
    case 'session':
      return verb === 'ask' ? session.id === caller.name : session.ancestors.includes(caller.name)
  }
}

/** Whether they see a session at all. What one may not see does not exist for one. */
export function maySee(caller: Caller, session: SessionAccess): boolean {
  return mayAccess(caller, 'read', session) || (caller.kind === 'session' && session.id === caller.name)
}

export function mayCreate(caller: Caller): boolean {
  return !asksOnly(caller)
}

/** A child that was not created as nested has its token to ask for itself, and for nothing else. */
export function asksOnly({ kind, scopes }: Pick<Caller, 'kind' | 'scopes'>): boolean {
  return kind === 'session' && !scopes.includes('nested')
}

/** A child never has it, whatever its token says. */
export function mayBypass(caller: Caller): boolean {
  return caller.kind !== 'session' && caller.scopes.includes('bypass')
}
