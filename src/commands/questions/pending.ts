import { definedFields } from '../../base/defined-fields.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { labelOf, waitsThere } from '../../command-line/views/session-words.ts'
import type { CallContext, Engine, PendingQuestion } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'
import { questionId } from '../../command-line/views/question-views.ts'
import { questionCard, questionJson } from '../../command-line/views/question-cards.ts'

const MOST_LINES = 12

export async function run(call: CommandCall): Promise<void> {
  const { args, flags, env, hub, keepList } = call
  const [sessionId] = args
  const { engine, context } = await hub('reads')
  const questions = await engine.pending(context, sessionId === undefined ? {} : { sessionId })
  const { out } = call
  const there = sessionId === undefined ? await waitingThere(engine, context, questions) : []
  if (out.isJson)
    return out.json({ questions: questions.map(questionJson), inTerminals: there.map(thereJson) })
  await keepList(
    questions.map((question) => ({
      kind: 'question',
      id: question.id,
      label: questionId(question),
      sessionId: question.sessionId,
      inputSha256: question.inputSha256,
    })),
  )
  if (flags.isSet('quiet')) return questions.forEach((question) => out.line(questionId(question)))
  if (questions.length + there.length === 0) return out.say('Nothing waits for an answer.')
  const card = {
    now: Date.now(),
    homeFolder: env['HOME'],
    most: out.isTerminal ? MOST_LINES : Number.POSITIVE_INFINITY,
  }
  for (const question of questions) for (const line of questionCard(question, card)) out.line(line)
  for (const session of there) out.line(`${labelOf(session)}  ${waitsThere(session, 0) ?? ''}`)
  const [first] = questions
  if (out.isTerminal && first)
    out.say(`plexus allow ${questionId(first)}, or plexus deny ${questionId(first)} -m "why not"`)
}

/** The terminals that wait for something that cannot be answered here. */
async function waitingThere(
  engine: Engine,
  context: CallContext,
  questions: readonly PendingQuestion[],
): Promise<Session[]> {
  const waiting = await engine.listSessions(context, { status: ['waiting'], limit: MOST_SESSIONS })
  const asking = new Set(questions.map(({ sessionId }) => sessionId))
  return waiting.filter((session) => waitsThere(session, asking.has(session.id) ? 1 : 0) !== undefined)
}

function thereJson({ id, name, workingDirectory, outside }: Session): object {
  const { pid, waitingFor } = outside ?? {}
  return {
    sessionId: id,
    ...definedFields({ name }),
    folder: workingDirectory,
    ...definedFields({ pid, waitingFor }),
  }
}

const MOST_SESSIONS = 500
