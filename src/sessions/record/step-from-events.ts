import { recordedSession } from '../../audit/recorded-session.ts'
import { deliveredEntry, entriesOf } from '../../audit/session-entries.ts'
import type { RecordEntry } from '../../audit/record-row.ts'
import type { Approval, Settlement } from '../../approvals/approval.ts'
import type { Grant } from '../../approvals/grants/grant.ts'
import { withDerived } from '../../child/state/derived-events.ts'
import { callOf } from '../../child/state/run-state.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import { type ApprovalId, nodeIdOf, inputHash, type SessionId } from '../../base/ids.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import { asksPerson } from '../../approvals/floods/asks-person.ts'
import { FLOOD_LIMITS, type FloodLimits } from '../../approvals/floods/flood.ts'
import { countedQuestion, floodEvents } from '../asked/flood-events.ts'
import { supersededBy } from '../asked/asked-calls.ts'
import { checkpointOf } from './checkpoint.ts'
import type { Step } from './journal.ts'
import type { Run, Session, Turn } from './session.ts'
import { costsBetween } from '../spending/model-costs.ts'
import { withBudgetSteps } from '../spending/budget-steps.ts'
import { spentRow } from '../spending/session-spending.ts'
import { firstWords } from '../../text/session-title.ts'
import { type evolve, evolving, type SessionState, statusOf } from './session-state.ts'

/** What a session's writer needs to write the next step: the current rows, and the folded state. */
export interface Ledger {
  readonly session: Session
  readonly state: SessionState
  readonly run: Run | undefined
  readonly turn: Turn | undefined
  /** What the current turn began with. */
  readonly title: string
  /** The sessions above it, the nearest first. */
  readonly ancestors?: readonly SessionId[] | undefined
}

interface AdvanceOptions {
  readonly at: number
  /** For spans of time: it does not jump. */
  readonly steadyAt?: number | undefined
  readonly run?: Run | undefined
  /** From how many questions on a person is shown no more; `off` is never. */
  readonly flood?: FloodLimits | 'off' | undefined
}

/** The next step and the ledger after it. Pure: nothing has happened until the step is stored. */
export function advance(
  ledger: Ledger,
  events: readonly SessionEvent[],
  { at, steadyAt = at, run, flood = FLOOD_LIMITS }: AdvanceOptions,
): { ledger: Ledger; step: Step } {
  const evolveNext = evolving()
  let next: Ledger = { ...ledger, run: run ?? ledger.run }
  const placed: { turn: number; event: SessionEvent }[] = []
  const turns = new Map<number, Turn>()
  const nodes: TreeNode[] = []
  const acknowledged: NonNullable<Step['acknowledged']>[number][] = []
  const recorded: RecordEntry[] = []
  const place = (given: SessionEvent) => {
    const before = next
    const event = given.type === 'approval.opened' ? asked(before, given) : given
    // Before the fold, which may change in place what the state before it holds.
    if (event.type === 'tool.finished')
      for (const approvalId of decidedFor(before, event.toolUseId))
        acknowledged.push({ approvalId, delivered: deliveredEntry(recordedSession(before), approvalId, at) })
    recorded.push(...recordedOf(before, event, at))
    next = placeOne(before, event, { at, seq: ledger.session.lastSeq + placed.length + 1, evolveNext })
    placed.push({ turn: next.state.turn, event })
    if (next.turn && next.turn !== before.turn) turns.set(next.turn.number, next.turn)
    if (next.session.headNode !== before.session.headNode) nodes.push(nodeOf(before, next, at))
  }
  // A question that is decided when it is asked is put to nobody.
  const decided = new Set(
    events.flatMap((event) => (event.type === 'approval.settled' ? event.approvalId : [])),
  )
  const asked = (before: Ledger, opened: EventOf<'approval.opened'>) => {
    const again = askedAgain(before, opened)
    const isKnown = before.state.open.approvals.has(opened.approvalId)
    const isPut = !isKnown && !decided.has(opened.approvalId) && !opened.flood && opened.kind !== 'budget'
    if (flood === 'off' || !isPut || !asksPerson(ledger.session)) return again
    return countedQuestion(again, before.state, at, flood)
  }
  const placeAll = (list: readonly SessionEvent[]) => {
    for (const { type, ...event } of list)
      if (type === 'approval.settled' && 'approvalId' in event) decided.add(event.approvalId)
    for (const event of list)
      for (const one of withBudgetSteps(next.state, ledger.session.config, event)) place(one)
  }
  for (const event of events) {
    placeAll(withDerived(next.state.open, event))
    placeAll(floodEvents(ledger.session.id, next.state, event))
  }
  const lastSeq = ledger.session.lastSeq + placed.length
  const opened = ofType(placed, 'approval.opened')
  const { questions: before = 0 } = ledger.session
  const session = {
    ...next.session,
    ...rowOf(next, lastSeq, steadyAt),
    ...(opened.length === 0 ? {} : { questions: before + opened.length }),
    lastSeq,
    updatedAt: at,
  }
  const step: Step = {
    sessionId: session.id,
    at,
    events: placed,
    // Most steps are text and do not change the row.
    session: sameRow(ledger.session, session) ? undefined : session,
    runs: next.run && next.run !== ledger.run ? [next.run] : [],
    turns: [...turns.values()],
    nodes,
    opened: opened.map(({ turn, event }, index) =>
      approvalOf(event, { sessionId: session.id, number: before + index + 1, turn, openedAt: at }),
    ),
    settled: ofType(placed, 'approval.settled').map(({ event }) => settlementOf(event)),
    granted: ofType(placed, 'approval.settled').flatMap(({ event }) => grantOf(session.id, event, at) ?? []),
    endedGrants: placed.flatMap(({ event }) => grantEndOf(event, at) ?? []),
    escalated: ofType(placed, 'approval.escalated').map(({ event }) => event),
    extended: ofType(placed, 'approval.extended').map(({ event }) => event),
    superseded: opened.flatMap(({ event: { approvalId: by, supersedes } }) =>
      supersedes === undefined ? [] : [{ approvalId: supersedes, by }],
    ),
    byHook: ofType(placed, 'terminal.hook_found').map(({ event }) => event.approvalId),
    ...costsOf(ledger, next),
    acknowledged,
    recorded,
  }
  return { ledger: { ...next, session }, step }
}

/** Only a report of the CLI changes what is known of the cost. */
function costsOf(before: Ledger, after: Ledger): Pick<Step, 'spent'> {
  if (before.state.cost === after.state.cost && before.state.spending.tokens === after.state.spending.tokens)
    return {}
  const now = ({ state: { cost, spending, modelCosts } }: Ledger) => ({
    usd: cost.usd,
    tokens: spending.tokens,
    models: modelCosts.sums,
  })
  const spent = costsBetween(now(before), now(after), after.state.model)
  return spent.length === 0 ? {} : { spent }
}

function placeOne(
  ledger: Ledger,
  event: SessionEvent,
  { at, seq, evolveNext }: { at: number; seq: number; evolveNext: typeof evolve },
): Ledger {
  // The CLI also echoes what its commands print, under ids of its own.
  const echoed = event.type === 'prompt.echoed' && ledger.state.open.prompts.has(event.promptId)
  const state = evolveNext(ledger.state, event)
  const began = state.turn > ledger.state.turn
  const ended = ledger.state.inTurn && !state.inTurn
  const next: Ledger = {
    ...ledger,
    session: withTitle(ledger, event),
    state,
    title: began ? titleOf(event) : ledger.title,
    turn: began ? turnOf(ledger.session.id, state.turn, event, seq) : ledger.turn,
    run: event.type === 'run.ended' && ledger.run ? { ...ledger.run, endedAt: at } : ledger.run,
  }
  if (echoed && next.turn && !next.turn.promptId)
    return { ...next, turn: { ...next.turn, promptId: event.promptId } }
  if (!ended || !next.turn || state.outcome === 'idle') return next
  const { assistantUuid, outcome } = state
  const turn = { ...next.turn, lastSeq: seq, outcome, assistantUuid }
  return { ...next, turn, session: { ...next.session, headNode: nodeIdOf(next.session.id, turn.number) } }
}

function recordedOf(ledger: Ledger, event: SessionEvent, at: number): RecordEntry[] {
  const { open, budgetQuestions } = ledger.state
  const calls = {
    question: (id: string) =>
      open.approvals.get(id)?.opened ?? budgetQuestions.find(({ approvalId }) => approvalId === id),
    decided: (toolUseId: string) => decidedFor(ledger, toolUseId),
    call: (toolUseId: string) => callOf(ledger.state.open, toolUseId),
  }
  return entriesOf(event, () => recordedSession(ledger), { turn: ledger.state.turn, at, calls })
}

/** The approvals whose answer has arrived, as this tool result shows. */
function decidedFor({ state }: Ledger, toolUse: string): ApprovalId[] {
  return [...state.open.approvals.values()]
    .filter(({ opened, decision }) => decision !== undefined && opened.toolUseId === toolUse)
    .map(({ opened }) => opened.approvalId)
}

/** The columns that follow from the folded state. */
function rowOf({ session, state }: Ledger, lastSeq: number, steadyAt: number): Partial<Session> {
  const checkpoint = checkpointOf(state)
  const status = statusOf(state)
  return {
    status,
    turn: state.turn,
    cliSessionId: state.cliSessionId ?? session.cliSessionId,
    error: state.error,
    model: state.model,
    permissionMode: state.permissionMode,
    costUsd: state.cost.usd,
    spent: spentRow(session, state.spending, { status, inTurn: state.inTurn, at: steadyAt }),
    ...(state.budget === undefined ? {} : { budget: state.budget }),
    ...(state.budgetQuestions.length > 0 || session.budgetQuestions
      ? { budgetQuestions: state.budgetQuestions.length }
      : {}),
    ...(state.mustStop || session.mustStop ? { mustStop: state.mustStop } : {}),
    outdated: state.outdated,
    ...(state.knows.length > 0 ? { knows: state.knows } : {}),
    ...(state.stopped || session.stopped ? { stopped: state.stopped } : {}),
    ...(state.endedOutside || session.endedOutside ? { endedOutside: state.endedOutside } : {}),
    ...(state.flood.showing || session.showsHeld ? { showsHeld: state.flood.showing } : {}),
    ...(state.outside || session.outside ? { outside: state.outside } : {}),
    ...(state.terminal || session.terminal ? { terminal: state.terminal || undefined } : {}),
    // Otherwise every message would write the row for this alone; the end of the turn is soon enough.
    contextTokens: state.inTurn ? session.contextTokens : state.contextTokens,
    contextWindow: state.contextWindow,
    ...(checkpoint === undefined ? {} : { checkpoint: { seq: lastSeq, state: checkpoint } }),
  }
}

/** By identity: an unchanged field is the same object. A new checkpoint of an equal state costs a write, no more. */
function sameRow(a: Session, b: Session): boolean {
  const [before, after] = [fieldsOf(a), fieldsOf(b)]
  return Object.keys({ ...before, ...after }).every((field) => before[field] === after[field])
}

/** Without what changes with every step. */
function fieldsOf(row: Session): Readonly<Record<string, unknown>> {
  return { ...row, lastSeq: 0, updatedAt: 0 }
}

function turnOf(sessionId: SessionId, number: number, event: SessionEvent, firstSeq: number): Turn {
  return {
    sessionId,
    number,
    firstSeq,
    promptId: event.type === 'prompt.accepted' ? event.promptId : undefined,
  }
}

function nodeOf(before: Ledger, { session, state, turn, title }: Ledger, at: number): TreeNode {
  const { number = 0, assistantUuid } = turn ?? {}
  const parentId = before.session.headNode
  const cliSessionId = state.cliSessionId ?? session.cliSessionId
  return {
    cliSessionId,
    id: session.headNode ?? '',
    sessionId: session.id,
    parentId,
    turn: number,
    title,
    assistantUuid,
    at,
  }
}

function approvalOf(
  event: EventOf<'approval.opened'>,
  place: Pick<Approval, 'sessionId' | 'number' | 'turn' | 'openedAt'>,
): Approval {
  const { type: _, approvalId: id, ...asked } = event
  return {
    ...asked,
    carrier: asked.carrier ?? 'control',
    id,
    ...place,
    ...definedFields({ timeoutMs: event.verdict?.timeoutMs }),
    inputSha256: inputHash(event.input),
    status: 'pending',
    delivery: 'none',
  }
}

/** The question names the withdrawn one that asked the same, so that nobody takes that for a second call. */
function askedAgain({ state }: Ledger, opened: EventOf<'approval.opened'>): EventOf<'approval.opened'> {
  return { ...opened, ...definedFields({ supersedes: supersededBy(state.asked, opened) }) }
}

function settlementOf(event: EventOf<'approval.settled'>): Settlement {
  const { approvalId, status, decision, by, level, via, verdict, end, repeats } = event
  return { approvalId, status, ...definedFields({ decision, by, level, via, verdict, end, repeats }) }
}

function grantOf(
  sessionId: SessionId,
  { approvalId, remembered, by = '' }: EventOf<'approval.settled'>,
  at: number,
): Grant | undefined {
  const { id, scope, rules, endsAt } = remembered ?? {}
  if (id === undefined || scope === undefined || rules === undefined) return undefined
  return { id, sessionId, approvalId, by, at, scope, rules, ...definedFields({ endsAt }) }
}

function grantEndOf(event: SessionEvent, at: number): NonNullable<Step['endedGrants']>[number] | undefined {
  if (event.type === 'grant.expired') return { id: event.grantId, how: 'expired', at }
  return event.type === 'grant.revoked' ? { id: event.grantId, how: 'revoked', at, by: event.by } : undefined
}

function ofType<T extends SessionEvent['type']>(
  placed: Step['events'],
  type: T,
): { turn: number; event: EventOf<T> }[] {
  return placed.filter((entry): entry is { turn: number; event: EventOf<T> } => entry.event.type === type)
}

/** By its first prompt a session is recognised; what is said later changes that no more. */
function withTitle({ session, state }: Ledger, event: SessionEvent): Session {
  if (event.type !== 'prompt.accepted' || state.turn > 0 || session.title !== undefined) return session
  const title = firstWords(event.content)
  return title === undefined ? session : { ...session, title }
}

/** The first line of the prompt of a turn; empty for a turn that began by itself. */
export function titleOf(event: SessionEvent | undefined): string {
  if (event?.type !== 'prompt.accepted') return ''
  const text = typeof event.content === 'string' ? event.content : JSON.stringify(event.content)
  return text.trimStart().split('\n', 1)[0]?.slice(0, MAX_TITLE) ?? ''
}

const MAX_TITLE = 120
