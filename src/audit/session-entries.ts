import { definedFields } from '../base/defined-fields.ts'
import { sha256Of } from '../base/ids.ts'
import { VERSION } from '../base/version.ts'
import type { EventOf, SessionEvent } from '../events/session-event.ts'
import { kept, keptText } from './kept-input.ts'
import type { RecordEntry } from './record-row.ts'
import type { RecordedSession } from './recorded-session.ts'

/** An input is hashed for several rows and never changed. */
const hashes = new WeakMap<object, string>()

function hashOf(input: object): string {
  const hash = hashes.get(input) ?? sha256Of(input)
  hashes.set(input, hash)
  return hash
}

type Opened = EventOf<'approval.opened'>
type Settled = EventOf<'approval.settled'>

/** A question as its session knows it before the event, if it is open or its call still runs. */
export interface KnownCalls {
  readonly question: (approvalId: string) => Opened | undefined
  /** The decided questions about this call. */
  readonly decided: (toolUseId: string) => readonly string[]
}

/** The rows that an event of a session adds to the record. Pure; most events add none. */
export function entriesOf(
  event: SessionEvent,
  sessionNow: () => RecordedSession,
  { turn, at, calls }: { turn: number; at: number; calls: KnownCalls },
): RecordEntry[] {
  const entry = (kind: RecordEntry['kind'], body: object, stated = false): RecordEntry[] => {
    const session = sessionNow()
    const state = stated ? stateOf(session) : {}
    return [{ kind, at, body: { ...placeOf(session), turn, ...state, ...definedFields(body) } }]
  }
  switch (event.type) {
    case 'approval.opened':
      // A question that is asked again is the same question.
      return calls.question(event.approvalId) ? [] : entry('asked', askedBody(event), true)
    case 'approval.settled':
      return entry('settled', settledBody(event, calls.question(event.approvalId)), true)
    case 'approval.escalated':
    case 'approval.extended': {
      const { type, ...body } = event
      return entry(type === 'approval.escalated' ? 'escalated' : 'extended', keptFields(body))
    }
    case 'tool.finished': {
      const approvals = calls.decided(event.toolUseId)
      return approvals.length === 0 ? [] : entry('ran', { approvalId: approvals[0], ...ranBody(event) })
    }
    case 'tool.unasked':
    case 'tool.refused': {
      const { type, toolName: tool, ...body } = event
      return entry(type === 'tool.unasked' ? 'unasked' : 'refused', { tool, ...keptFields(body) })
    }
    case 'tool.seen': {
      const { type: _, toolName: tool, ...body } = event
      if (event.opinion !== 'deny') return []
      return entry('hook-denied', { tool, ...keptFields(body) }, true)
    }
    case 'grant.expired':
    case 'grant.revoked': {
      const { type, ...body } = event
      return entry(type === 'grant.expired' ? 'grant-expired' : 'grant-revoked', keptFields(body))
    }
    default:
      return []
  }
}

export function sessionEntry(
  kind: 'session-started' | 'session-removed',
  session: RecordedSession,
  {
    at,
    ...body
  }: { at: number; by?: string | undefined; caller?: object | undefined; parent?: string | undefined },
): RecordEntry {
  return { kind, at, body: { ...placeOf(session), ...stateOf(session), ...definedFields(body) } }
}

export function deliveredEntry(session: RecordedSession, approvalId: string, at: number): RecordEntry {
  return { kind: 'delivered', at, body: { ...placeOf(session), approvalId } }
}

function placeOf({ id, name, owner, ancestors }: RecordedSession): object {
  const above = ancestors.length > 0 ? { ancestors } : {}
  return { session: id, ...definedFields({ name }), owner, ...above }
}

function stateOf({ cwd, mode, model, cliVersion }: RecordedSession): object {
  return { folder: cwd, ...definedFields({ mode, model, cliVersion }), plexusVersion: VERSION }
}

function askedBody(opened: Opened): object {
  const { type: _, kind, toolName, input, suggestions, ...rest } = opened
  // Suggestions are the CLI's, and they are many; the rules that were chosen from them are in the decision.
  const count = suggestions?.length ? { suggestions: suggestions.length } : {}
  return {
    question: kind,
    tool: toolName,
    shownSha256: hashOf(input),
    input: kept(input),
    ...count,
    ...keptFields(rest),
  }
}

/** Fields that this version does not know (a rule, its text, the digest of its file) are copied as they are. */
function settledBody(settled: Settled, opened: Opened | undefined): object {
  const { type: _, decision, ...rest } = settled
  const asked = opened && {
    question: opened.kind,
    tool: opened.toolName,
    toolUseId: opened.toolUseId,
    cwd: opened.cwd,
    shownSha256: hashOf(opened.input),
  }
  return { ...definedFields(asked ?? {}), ...keptFields(rest), ...decisionBody(decision, opened) }
}

/** What a person typed into a form may be a secret of any shape: only the names of its fields are kept. */
function decisionBody(decision: Settled['decision'], opened: Opened | undefined): object {
  if (decision === undefined) return {}
  const { behavior } = decision
  if (behavior === 'form') {
    const { action, content } = decision
    return {
      behavior,
      action,
      ...(content ? { fields: Object.keys(content), ranSha256: sha256Of(content) } : {}),
    }
  }
  if (behavior === 'budget') return decision
  const message = decision.message === undefined ? {} : { message: keptText(decision.message) }
  if (behavior === 'deny')
    return { behavior, ...message, ...definedFields({ interrupt: decision.interrupt }) }
  const ranSha256 = hashOf(decision.updatedInput)
  const isEdited = opened === undefined || ranSha256 !== hashOf(opened.input)
  const approved = isEdited ? { edited: opened !== undefined, approved: kept(decision.updatedInput) } : {}
  const { updatedPermissions: given } = decision
  return { behavior, ...message, ranSha256, ...approved, ...(given ? { permissions: kept(given) } : {}) }
}

function ranBody({ toolUseId, isError, content }: EventOf<'tool.finished'>): object {
  return { toolUseId, isError, resultSha256: sha256Of(content), resultLength: content.length }
}

/** Ids and words of our own, which hold no secret and need not be searched for one: an answer waits for this. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set([
  'agentId',
  'approvalId',
  'caller',
  'carrier',
  'grantId',
  'level',
  'opinion',
  'requestId',
  'shownAt',
  'status',
  'toolUseId',
  'via',
])
/** A child may make an id as long as it likes. */
const MAX_ID = 200

function keptFields(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (field === undefined) return []
      const isPlain = PLAIN_FIELDS.has(name) && !(typeof field === 'string' && field.length > MAX_ID)
      return [[name, isPlain ? field : kept(field)]]
    }),
  )
}
