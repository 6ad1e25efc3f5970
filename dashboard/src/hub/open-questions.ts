import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { FollowedStep } from '../../../src/engine/follow-all.ts'

export function concernsQuestions({ events }: FollowedStep): boolean {
  return events.some(({ event }) => event.type.startsWith('approval.'))
}

/** The open questions after a step. Not complete: the step says that something has changed, and not all of what. */
export function afterStep(
  open: readonly PendingQuestion[],
  { events, asked = [] }: FollowedStep,
): { readonly open: readonly PendingQuestion[]; readonly isComplete: boolean } {
  const settled = new Set<string>()
  let isComplete = true
  for (const { event } of events) {
    if (event.type === 'approval.settled') settled.add(event.approvalId)
    const isKnown = event.type === 'approval.opened' && asked.some(({ id }) => id === event.approvalId)
    if (event.type.startsWith('approval.') && !isKnown) isComplete = false
  }
  const ids = new Set<string>(asked.map(({ id }) => id))
  const others = open.filter(({ id }) => !settled.has(id) && !ids.has(id))
  return { open: asked.length > 0 ? byAge([...others, ...asked]) : others, isComplete }
}

export function byAge(questions: readonly PendingQuestion[]): PendingQuestion[] {
  return questions.toSorted((a, b) => a.openedAt - b.openedAt)
}
