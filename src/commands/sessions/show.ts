import { AppError } from '../../base/errors.ts'
import type { ClientHub, CommandCall } from '../../command-line/command.ts'
import { questionCard, questionJson } from '../../command-line/views/question-views.ts'
import { iso, sessionJson } from '../../command-line/views/session-views.ts'
import { dollars, labelOf, oneLine, stateWord } from '../../command-line/views/session-words.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'

/** A session, or a question by its id. */
export async function run({ args: [id = ''], env, out, hub }: CommandCall): Promise<void> {
  const client = await hub('reads')
  const card = { now: Date.now(), homeFolder: env['HOME'], most: Number.POSITIVE_INFINITY }
  const found = await sessionOrQuestion(client, id)
  if ('question' in found) {
    const { question } = found
    if (out.isJson) return out.json({ question: questionJson(question) })
    for (const line of questionCard(question, card)) out.line(line)
    out.line(`    ${question.status}, input ${question.inputSha256}`)
    return
  }
  const { session } = found
  const open = await client.engine.pending(client.context, { sessionId: session.id })
  if (out.isJson)
    return out.json({ session: sessionJson({ session, open }), questions: open.map(questionJson) })
  for (const [name, value] of factsOf(session)) out.line(`${name.padEnd(8)} ${value}`)
  for (const question of open) for (const line of questionCard(question, card)) out.line(line)
}

async function sessionOrQuestion(
  { engine, context }: ClientHub,
  id: string,
): Promise<{ session: Session } | { question: PendingQuestion }> {
  try {
    return { session: await engine.getSession(context, { sessionId: id }) }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    const question = await engine.getApproval(context, { approvalId: id }).catch(() => undefined)
    if (question) return { question }
    throw new AppError(
      'not_found',
      `There is no session and no question ${id}; plexus ls and plexus pending list them.`,
    )
  }
}

function factsOf(session: Session): [string, string][] {
  const { id, status, workingDirectory, model, turn, costUsd, error, createdAt } = session
  return [
    ['name', labelOf(session)],
    ['id', id],
    ['state', `${stateWord(session)} (${status})`],
    ['folder', oneLine(workingDirectory)],
    ['mode', session.permissionMode ?? session.config.permissionMode],
    ...(model === undefined ? [] : [['model', oneLine(model)] satisfies [string, string]]),
    ['turns', String(turn)],
    ['cost', dollars(costUsd)],
    ['started', iso(createdAt)],
    ...(error === undefined ? [] : [['error', oneLine(error.message)] satisfies [string, string]]),
  ]
}
