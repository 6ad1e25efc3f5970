import { signal } from '@preact/signals'
import { budgetOf } from '../../../src/budgets/budget.ts'
import type { SessionBudget } from '../../../src/engine/budgets/list-budgets.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { FollowedStep } from '../../../src/engine/follow-all.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { followHub, hub } from './connection.ts'
import { afterStep, byAge, concernsQuestions } from './open-questions.ts'

/** The open questions, oldest first; undefined until they were read. */
export const questions = signal<readonly PendingQuestion[] | undefined>(undefined)
export const sessions = signal<readonly Session[] | undefined>(undefined)
/** The budgets of these sessions, and what they have spent with all below them. */
export const budgets = signal<readonly SessionBudget[]>([])

type Listener = (step: FollowedStep) => void
const listeners = new Set<Listener>()

/** Calls the listener with every step that arrives; returns the function that ends it. */
export function onStep(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const readQuestions = coalesced(async () => {
  const open = await hub.call('pending', {})
  questions.value = byAge(open)
})

const readSessions = coalesced(async () => {
  const found = await hub.call('listSessions', { limit: 200 })
  budgets.value = found.some(budgetOf) ? await hub.call('listBudgets', {}) : []
  sessions.value = found
})

/** Reads the sessions and the open questions, and keeps them as the hub has them. */
export function followState(over: AbortSignal): Promise<void> {
  return followHub(
    {
      onStart: async () => void (await Promise.all([readQuestions(), readSessions()])),
      onStep: (step) => {
        if (concernsQuestions(step)) report(applyQuestions(step))
        else if (step.events.some(({ event }) => !QUIET.has(event.type))) report(readSessions())
        for (const listener of listeners) listener(step)
      },
    },
    over,
  )
}

/** A question is shown as it arrives: the person waits for that. A list that is being read may be older than the step. */
async function applyQuestions(step: FollowedStep): Promise<void> {
  const next = questions.peek() && afterStep(questions.peek() ?? [], step)
  if (next) questions.value = next.open
  if (!next?.isComplete || readQuestions.isRunning()) await readQuestions()
  await readSessions()
}

/** Events that change nothing in the list of sessions. */
const QUIET = new Set(['text.streamed', 'text', 'thinking', 'tool.seen', 'tool.used', 'tool.result'])

/** Runs `work` at once, or once more after the run that is under way: many changes cost two reads, not many. */
function coalesced(work: () => Promise<void>): (() => Promise<void>) & { readonly isRunning: () => boolean } {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const run = (): Promise<void> => {
    running = work().finally(() => (running = undefined))
    return running
  }
  const runOrWait = () => {
    if (!running) return run()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return run()
      })
    return next
  }
  return Object.assign(runOrWait, { isRunning: () => running !== undefined })
}

/** A read that fails is repeated by the feed, which finds the hub away or this device signed out. */
function report(read: Promise<void>): void {
  read.catch(() => {})
}
