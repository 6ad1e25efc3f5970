import { shortenValue, shortenText } from '../../api/views/shorten-text.ts'
import { NO_PLAN_TEXT } from '../../approvals/plan.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'
import { visibleText } from '../../text/visible-text.ts'

type Asker = Pick<Session, 'id' | 'name' | 'workingDirectory'>

/**
 * A question for a person to read: who asks, and exactly what would run. What is long is shown by its head and tail, what
 * is hidden by its length, and what cannot be seen by an escape; a second line of a value cannot pass for a field.
 */
export function questionText(asked: PendingQuestion, session: Asker): string {
  return [fromWhom(session), ...body(asked)].map(visibleText).join('\n')
}

function fromWhom({ id, name, workingDirectory }: Asker): string {
  return `Claude Code session ${oneLine(name ?? id)} in ${oneLine(workingDirectory)}:`
}

function body(asked: PendingQuestion): string[] {
  const { kind, toolName, input, questions, agentId, reason } = asked
  switch (kind) {
    case 'tool': {
      const who = agentId === undefined ? 'It' : 'A sub-agent of it'
      const why = reason === undefined ? [] : [`(${oneLine(reason)})`]
      return [`${who} wants to use ${oneLine(toolName)}.`, ...why, '', ...fieldsOf(input), ...around(asked)]
    }
    case 'plan':
      return ['It has made a plan, and asks whether to begin.', '', ...planOf(input)]
    case 'budget':
    case 'question':
      return questions.flatMap(({ question, options, descriptions }, at) => [
        '',
        `${at + 1}. ${indented(shortenText(question, MOST_QUESTION))}`,
        ...options.map((option, index) => `   - ${oneLine(option)}${meaning(descriptions?.[index])}`),
      ])
    case 'form':
      return [
        `Its MCP server ${oneLine(toolName)} asks:`,
        '',
        indented(shortenText(textOf(input['message']), MOST_QUESTION)),
      ]
  }
}

/** What else there is to know of a call: where it would run, and what could be remembered besides it. */
function around({ cwd, suggestedRules }: PendingQuestion): string[] {
  const where = cwd === undefined ? [] : [`Folder: ${oneLine(cwd)}`]
  const rules =
    suggestedRules.length === 0 ? [] : [`Suggested rules: ${suggestedRules.map(oneLine).join(', ')}`]
  return where.length + rules.length > 0 ? ['', ...where, ...rules] : []
}

function planOf({ plan, ...rest }: PendingQuestion['input']): string[] {
  const text = plan === undefined ? NO_PLAN_TEXT : textOf(plan)
  return [shortenText(text, MOST_PLAN), ...(Object.keys(rest).length > 0 ? ['', ...fieldsOf(rest)] : [])]
}

function fieldsOf(input: PendingQuestion['input']): string[] {
  return Object.entries(shortenValue(input, MOST_FIELD).value).map(
    ([field, value]) => `${oneLine(field)}: ${indented(textOf(value))}`,
  )
}

function meaning(description: string | undefined): string {
  return description ? `: ${oneLine(description)}` : ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ')
}

function oneLine(text: string): string {
  return shortenText(text, MOST_LINE).replaceAll('\n', ' ')
}

const MOST_LINE = 300
const MOST_FIELD = 4_000
const MOST_QUESTION = 4_000
const MOST_PLAN = 20_000
