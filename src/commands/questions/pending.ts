import type { CommandCall } from '../../command-line/command.ts'
import { questionCard, questionId, questionJson } from '../../command-line/views/question-views.ts'

const MOST_LINES = 12

export async function run({ args: [sessionId], flags, env, out, hub, keepList }: CommandCall): Promise<void> {
  const { engine, context } = await hub('reads')
  const questions = await engine.pending(context, sessionId === undefined ? {} : { sessionId })
  if (out.isJson) return out.json({ questions: questions.map(questionJson) })
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
  if (questions.length === 0) return out.say('Nothing waits for an answer.')
  const card = {
    now: Date.now(),
    homeFolder: env['HOME'],
    most: out.isTerminal ? MOST_LINES : Number.POSITIVE_INFINITY,
  }
  for (const question of questions) for (const line of questionCard(question, card)) out.line(line)
  const [first] = questions
  if (out.isTerminal && first)
    out.say(`plexus allow ${questionId(first)}, or plexus deny ${questionId(first)} -m "why not"`)
}
