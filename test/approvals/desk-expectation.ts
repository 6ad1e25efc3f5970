/** The expected state of every question when steps run in sequence. */
import { isEntitled, KINDS, type Step } from './desk-steps.ts'

interface Expected {
  readonly session: number
  readonly carrier: 'control' | 'mcp'
  readonly status: 'pending' | 'allowed' | 'denied' | 'expired' | 'withdrawn'
  readonly by?: string
  /** By the clock that does not jump. */
  readonly deadline: number
}

export interface Expectation {
  readonly now: number
  readonly questions: readonly Expected[]
}

export const noQuestions: Expectation = { now: 0, questions: [] }

export function expectedAfter(before: Expectation, step: Step): Expectation {
  const { now, questions } = before
  const deadlineOf = (session: number) => now + (KINDS[session]?.timeoutMs || Infinity)
  const each = (change: (one: Expected, n: number) => Partial<Expected>) => ({
    now,
    questions: questions.map((one, n) => (one.status === 'pending' ? { ...one, ...change(one, n) } : one)),
  })
  switch (step.do) {
    case 'open': {
      const { session, carrier, inNotice } = step
      const answered = inNotice
        ? { status: answerOf(inNotice), by: 'operator' }
        : { status: 'pending' as const }
      return {
        now,
        questions: [...questions, { session, carrier, deadline: deadlineOf(session), ...answered }],
      }
    }
    case 'answer':
      return each(({ session }, n) =>
        n === step.question && isEntitled(step.by, KINDS[session]?.answerers ?? 'anyone')
          ? { status: answerOf(step.choice), by: step.by }
          : {},
      )
    case 'advance': {
      const then = now + step.ms
      return { ...each(({ deadline }) => (deadline <= then ? { status: 'expired' } : {})), now: then }
    }
    case 'jump':
      return before
    case 'withdraw':
    case 'finish':
      return each((_, n) => (n === step.question ? { status: 'withdrawn' } : {}))
    case 'end run':
      return each(({ session }) => (session === step.session ? { status: 'withdrawn' } : {}))
    case 'crash':
      return each(({ session }) => ({ deadline: deadlineOf(session) }))
  }
}

function answerOf(choice: 'allow' | 'deny'): 'allowed' | 'denied' {
  return choice === 'allow' ? 'allowed' : 'denied'
}
