import type { DeskSessions, SettledIn } from '../approvals/desk-sessions.ts'
import { SessionQuestions } from './run/session-questions.ts'
import type { Supervisor } from './supervisor.ts'

/** The sessions of a supervisor, as the desk reaches them. */
export function deskSessions(supervisor: Pick<Supervisor, 'questionsOf' | 'ring'>): DeskSessions {
  return {
    questionsOf: (sessionId) => supervisor.questionsOf(sessionId),
    settle: (answers) => settleQuestions(supervisor, answers),
    ring: (sessionId) => supervisor.ring(sessionId),
  }
}

/** Settles questions of any sessions in one commit: all of them, or none. */
async function settleQuestions(
  supervisor: Pick<Supervisor, 'questionsOf'>,
  answers: readonly SettledIn[],
): Promise<void> {
  const ids = [...new Set(answers.map(({ sessionId }) => sessionId))]
  const parts = await Promise.all(
    ids.map(async (id) => ({
      questions: await supervisor.questionsOf(id),
      settled: answers.flatMap(({ sessionId, settled }) => (sessionId === id ? settled : [])),
    })),
  )
  await SessionQuestions.settle(parts)
}
