import { recordedSession } from '../../audit/recorded-session.ts'
import { deliveredEntry } from '../../audit/session-entries.ts'
import type { RecordEntry } from '../../audit/record-row.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { withDerived } from '../../child/state/derived-events.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import { asksPerson } from '../../approvals/floods/asks-person.ts'
import { FLOOD_LIMITS, type FloodLimits } from '../../approvals/floods/flood.ts'
import { countedQuestion, floodEvents } from '../asked/flood-events.ts'
import { supersededBy } from '../asked/asked-calls.ts'
import type { Step } from '../record/journal.ts'
import type { Run, Turn } from '../record/session.ts'
import { evolving } from '../record/evolve-session.ts'
import { costsBetween } from '../spending/model-costs.ts'
import { withBudgetSteps } from '../spending/budget-steps.ts'
import { approvalOf, grantEndOf, grantOf, settlementOf } from './approval-rows.ts'
import type { Ledger } from './ledger.ts'
import { placeEvent } from './place-event.ts'
import { decidedFor, recordedOf } from './recorded-entries.ts'
import { rowOf, sameRow } from './session-row.ts'
import { nodeOf } from './turn-rows.ts'

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
    next = placeEvent(before, event, { at, seq: ledger.session.lastSeq + placed.length + 1, evolveNext })
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
  const spent = costsBetween(costNow(before), costNow(after), after.state.model)
  return spent.length === 0 ? {} : { spent }
}

function costNow({ state: { cost, spending, modelCosts } }: Ledger) {
  return { usd: cost.usd, tokens: spending.tokens, models: modelCosts.sums }
}

/** The question names the withdrawn one that asked the same, so that nobody takes that for a second call. */
function askedAgain({ state }: Ledger, opened: EventOf<'approval.opened'>): EventOf<'approval.opened'> {
  return { ...opened, ...definedFields({ supersedes: supersededBy(state.asked, opened) }) }
}

function ofType<T extends SessionEvent['type']>(
  placed: Step['events'],
  type: T,
): { turn: number; event: EventOf<T> }[] {
  return placed.filter((entry): entry is { turn: number; event: EventOf<T> } => entry.event.type === type)
}
