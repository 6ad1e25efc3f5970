import { setImmediate } from 'node:timers/promises'
import { retryUntilDone } from '../../async/retry.ts'
import { adoptChild, startChild } from '../../child/process/start-child.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { ConversationStart } from '../launch/conversation-start.ts'
import { trustsFoldersOf } from '../launch/session-folders.ts'
import { type LaunchPlan, planLaunch } from '../launch/launch-plan.ts'
import { outdatedRun } from './outdated-run.ts'
import type { ProcessDeps } from './process-deps.ts'
import { type RunContext, runContext } from './run-context.ts'
import { errorOf, eventsOfNoStart, withdrawals } from './run-end-events.ts'
import { type Adopted, SessionRun } from './session-run.ts'

/** A process that is being launched: its start and its prompts are on record. */
export interface StartingRun {
  readonly kind: ConversationStart['kind']
  readonly launched: Promise<void>
}

/** Stores these events, then launches a process; the outcome of the launch is stored too. */
export async function startRun(deps: ProcessDeps, events: readonly SessionEvent[]): Promise<StartingRun> {
  const { writer, permit } = deps
  const admitted = await deps.admit()
  try {
    const { session, state } = writer
    const openPermit = () => permit.open()
    const plan = await planLaunch({ session, state, openPermit }, deps.environment)
    const started = { type: 'run.started', runId: plan.run.id, notes: true } as const
    await writer.append([started, ...events], { run: plan.run })
    return { kind: plan.kind, launched: launch(deps, plan).finally(admitted) }
  } catch (error) {
    admitted()
    throw error
  }
}

/** The same for prompts on record. If no process can be started for them, their turn fails. */
export async function startForOwed(deps: ProcessDeps): Promise<StartingRun['kind']> {
  try {
    const { kind, launched } = await startRun(deps, [])
    await launched
    return kind
  } catch (error) {
    const failed: SessionEvent = { type: 'turn.ended', outcome: 'failed', error: errorOf(error) }
    await deps.writer.decide((state) =>
      state.open.prompts.size === 0 ? [] : [failed, ...withdrawals(state)],
    )
    throw error
  }
}

async function launch(deps: ProcessDeps, { run, spec, trusted }: LaunchPlan): Promise<void> {
  const { writer, environment, permit, closing } = deps
  // The caller gets its answer first: a start takes longer than that.
  await setImmediate()
  environment.onStart?.(spec)
  try {
    const context = runContext(writer.session, trusted, environment, remembered(deps))
    await deps.onRun(new SessionRun({ ...partsOf(deps), child: await startChild(spec), context }))
  } catch (error) {
    await permit.end(run).catch(environment.onError)
    await retryUntilDone(() => writer.decide((state) => eventsOfNoStart(state, run.id, error)), closing)
    throw error
  }
}

/** Adopts the process on record, which an earlier hub started. If it throws, no process was adopted. */
export async function adoptRun(deps: ProcessDeps): Promise<void> {
  const { writer, permit } = deps
  const { run, session } = writer
  if (!run) return
  const cutOff = await permit.cutOff(run)
  if (cutOff && session.config.carrier === 'control')
    await writer.decide(({ open }) => (open.cutOff ? [] : [{ type: 'nesting.ended', reason: NESTING_ENDED }]))
  const child = await adoptChild(run.folder, session.id)
  const adopted: Adopted = { cutOff, outdated: await outdatedRun(run, child) }
  await deps.onRun(new SessionRun({ ...partsOf(deps), child, context: contextNow(deps), adopted }))
}

/** The context of a process that would be started now. */
export function contextNow(deps: ProcessDeps): RunContext {
  const { writer, environment } = deps
  const { session, state } = writer
  return runContext(session, trustsFoldersOf(session, state, environment), environment, remembered(deps))
}

function remembered({ grants, rules, repeats, writer }: ProcessDeps) {
  return { grants, rules, repeats, state: () => writer.state }
}

function partsOf({ writer, permit, closing, restarts, environment }: ProcessDeps) {
  return { writer, permit, closing, restarts, onError: environment.onError }
}

const NESTING_ENDED =
  'The hub is at another address than before, so this process can start no sessions below it any more; the next process can.'
