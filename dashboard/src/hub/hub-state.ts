import { signal } from '@preact/signals'
import { budgetOf } from '../../../src/budgets/budget.ts'
import { titleOf } from '../../../src/command-line/views/session-words.ts'
import type { SessionBudget } from '../../../src/engine/budgets/list-budgets.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { FollowedStep } from '../../../src/engine/follow-all.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { followHub, hub } from './connection.ts'
import { afterQuiet, coalesced } from './read-often.ts'
import { afterStep, byAge, concernsQuestions } from './open-questions.ts'

/** The open questions, oldest first; undefined until they were read. */
export const questions = signal<readonly PendingQuestion[] | undefined>(undefined)
export const sessions = signal<readonly Session[] | undefined>(undefined)
/** The budgets of these sessions, and what they have spent with all below them. */
export const budgets = signal<readonly SessionBudget[]>([])

export function openOf(sessionId: string): readonly PendingQuestion[] {
  return questions.value?.filter((question) => question.sessionId === sessionId) ?? []
}

/** What a person recognises a session by; of one that is not listed only its id is known. */
export function titleOfId(id: string): string {
  return titleOf(sessions.value?.find((session) => session.id === id) ?? { id })
}

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

/** The list of sessions is not what a person waits for, and what a step says of questions is shown before it is checked. */
const readSessionsSoon = afterQuiet(() => report(readSessions()))
const checkQuestionsSoon = afterQuiet(() => report(readQuestions()))

/** The newest event of each session that a step has brought: the list of sessions may be older. */
const newestSeq = new Map<string, number>()

export function lastSeqOf(sessionId: string): number {
  const listed = sessions.peek()?.find(({ id }) => id === sessionId)?.lastSeq ?? 0
  return Math.max(listed, newestSeq.get(sessionId) ?? 0)
}

/** Reads the sessions and the open questions, and keeps them as the hub has them. */
export function followState(over: AbortSignal): Promise<void> {
  return followHub(
    {
      onStart: async () => void (await Promise.all([readQuestions(), readSessions()])),
      onStep: (step) => {
        const { sessionId, events } = step
        newestSeq.set(sessionId, events.at(-1)?.seq ?? 0)
        if (concernsQuestions(step)) applyQuestions(step)
        // A session that is done must not be called running beside its own result.
        if (events.some(({ event }) => event.type === 'turn.ended')) setTimeout(() => report(readSessions()))
        else if (events.some(({ event }) => !QUIET.has(event.type))) readSessionsSoon()
        for (const listener of listeners) listener(step)
      },
    },
    over,
  )
}

function isNamed(sessionId: string): boolean {
  return sessions.peek()?.some(({ id }) => id === sessionId) === true
}

/**
 * A question is shown as it arrives: the person waits for that, so no request comes before it. A list that is being read may
 * be older than the step.
 */
function applyQuestions(step: FollowedStep): void {
  const next = questions.peek() && afterStep(questions.peek() ?? [], step)
  if (next) questions.value = next.open
  if (readQuestions.isRunning()) report(readQuestions())
  else if (!next?.isComplete) checkQuestionsSoon()
  if (step.asked?.some(({ sessionId }) => !isNamed(sessionId))) setTimeout(() => report(readSessions()))
}

/** Events that change nothing in the list of sessions. */
const QUIET = new Set(['text.streamed', 'text', 'thinking', 'tool.seen', 'tool.used', 'tool.result'])

/** A read that fails is repeated by the feed, which finds the hub away or this device signed out. */
function report(read: Promise<void>): void {
  read.catch(() => {})
}
