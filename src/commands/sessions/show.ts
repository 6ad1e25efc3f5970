import { AppError } from '../../base/errors.ts'
import { budgetLines, RESOURCES, spentText } from '../../budgets/budget.ts'
import type { ClientHub, CommandCall } from '../../command-line/command.ts'
import { answerLines, answerParts } from '../../command-line/views/answer-lines.ts'
import { questionCard, questionJson } from '../../command-line/views/question-cards.ts'
import { sessionJson } from '../../command-line/views/session-views.ts'
import {
  dollars,
  labelOf,
  localTime,
  modeWord,
  oneLine,
  shownState,
  viaWords,
} from '../../command-line/views/session-words.ts'
import { pageLines } from '../../command-line/terminal/page-lines.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Costs } from '../../engine/sessions/sum-costs.ts'
import type { SessionNow } from '../../engine/sessions/session-now.ts'

/** A session, or a question by its id. */
export async function run({ args: [id = ''], env, out, hub }: CommandCall): Promise<void> {
  const client = await hub('reads')
  const card = { now: Date.now(), homeFolder: env['HOME'], most: Number.POSITIVE_INFINITY }
  const found = await sessionOrQuestion(client, id)
  if ('question' in found) {
    const { question } = found
    if (out.isJson) return out.json({ question: questionJson(question) })
    const facts = [
      settledFact(question),
      ...answerLines(question, question.decision),
      `input ${question.inputSha256}`,
    ]
    return pageLines([...questionCard(question, card), ...facts.map((fact) => `    ${fact}`)], out, env)
  }
  const { session } = found
  const named = { sessionId: session.id }
  const [open, { session: cost }] = await Promise.all([
    client.engine.pending(client.context, named),
    client.engine.costs(client.context, named),
  ])
  if (out.isJson)
    return out.json({
      session: {
        ...sessionJson({ session, open }),
        treeUsd: cost?.treeUsd,
        sessionsBelow: cost?.below,
        treeSpent: cost?.spent,
        budget: cost?.budget,
      },
      questions: open.map(questionJson),
    })
  const facts = factsOf(session, cost).map(([name, value]) => `${name.padEnd(8)} ${value}`)
  await pageLines([...facts, ...open.flatMap((question) => questionCard(question, card))], out, env)
}

function settledFact(question: PendingQuestion): string {
  const { status, by, via, settledAt } = question
  const as = answerParts(question, question.decision).approvedInput ? ' as edited' : ''
  const way = via === undefined ? '' : ` (${viaWords(via)})`
  const time = settledAt === undefined ? '' : ` at ${localTime(settledAt)}`
  return `${status}${as}${by === undefined ? '' : ` by ${oneLine(by)}`}${way}${time}`
}

async function sessionOrQuestion(
  { engine, context }: ClientHub,
  id: string,
): Promise<{ session: SessionNow } | { question: PendingQuestion }> {
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

function processFact(session: SessionNow): [string, string][] {
  const { pid, turn, outside } = session
  if (outside || (pid === undefined && turn === 0)) return []
  return [['process', pid === undefined ? 'none, starts with the next prompt' : `alive (pid ${pid})`]]
}

function factsOf(session: SessionNow, tree: Costs['session']): [string, string][] {
  const { id, name, title, workingDirectory, model, turn, costUsd, error, createdAt } = session
  return [
    ['name', labelOf(session)],
    ['id', id],
    ...(name !== undefined || title === undefined
      ? []
      : [['prompt', oneLine(title)] satisfies [string, string]]),
    ['state', stateFact(session)],
    ...processFact(session),
    ['folder', oneLine(workingDirectory)],
    ...terminalFact(session),
    ['mode', modeWord(session)],
    ...(model === undefined ? [] : [['model', oneLine(model)] satisfies [string, string]]),
    // What is said in a terminal is not counted here.
    ...(session.terminal ? [] : [['turns', String(turn)] satisfies [string, string]]),
    [
      'cost',
      dollars(costUsd) + (tree?.below ? `, with ${tree.below} below it ${dollars(tree.treeUsd)}` : ''),
    ],
    ...spentFact(tree),
    ...(tree?.budget
      ? budgetLines(tree.budget, tree.spent).map((line): [string, string] => ['budget', line])
      : []),
    ['started', localTime(createdAt)],
    ...(error === undefined ? [] : [['error', oneLine(error.message)] satisfies [string, string]]),
  ]
}

function terminalFact({ outside, terminal }: SessionNow): [string, string][] {
  if (outside?.to === 'terminal')
    return [['terminal', `open there (pid ${outside.pid}); not ours to prompt or to end`]]
  return terminal ? [['terminal', 'it was open in one, which has ended; plexus say continues it here']] : []
}

function stateFact(session: SessionNow): string {
  const [shown, { status }] = [shownState(session), session]
  return shown === status ? shown : `${shown} (${status})`
}

/** With all sessions below it; nothing before the first turn. */
function spentFact(tree: Costs['session']): [string, string][] {
  if (!tree || tree.spent.tokens + tree.spent.toolCalls === 0) return []
  const amounts = RESOURCES.slice(1).map((resource) => spentText(resource, tree.spent[resource]))
  return [['spent', amounts.join(', ')]]
}
