import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Answer } from '../../approvals/answer.ts'
import { formSchemaOf, validateContent } from '../../approvals/form-content.ts'
import { DECLINED_FORM } from '../../approvals/ends/model-sentences.ts'
import { OPTIONS, type Question } from '../../approvals/question.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { visibleText } from '../../text/visible-text.ts'
import { answerOfRuleOption } from './rule-option.ts'

type Schema = ElicitRequestFormParams['requestedSchema']
type Field = Schema['properties'][string]

/**
 * The form of a question; undefined if no form can ask it: a nested schema of an MCP server, or a visit to a page. `rule` is
 * the option to remember a rule.
 */
export function formOf(asked: PendingQuestion, rule?: string): Schema | undefined {
  switch (asked.kind) {
    case 'tool':
      return decisionForm(
        [...OPTIONS.tool, ...(rule === undefined ? [] : [rule])],
        'If not: why, or what to do instead. The session reads it.',
      )
    case 'plan':
      return decisionForm(OPTIONS.plan, 'If not: what should be different. The session reads it.')
    case 'budget':
    case 'question':
      return { type: 'object', properties: Object.fromEntries(asked.questions.flatMap(questionFields)) }
    case 'form':
      return formSchemaOf(asked)
  }
}

/** The answer in a filled-in form; undefined if it does not fit, and then nothing is decided. */
export function answerFrom(asked: PendingQuestion, content: unknown): Answer | undefined {
  const answer = asked.kind === 'form' ? filledIn(asked, content) : chosen(asked, content)
  return answer && { ...answer, inputSha256: asked.inputSha256 }
}

/** A declined form denies the question. */
export function declined({ inputSha256 }: PendingQuestion): Answer {
  return { approve: false, message: DECLINED_FORM, inputSha256 }
}

function decisionForm(options: readonly string[], why: string): Schema {
  return {
    type: 'object',
    properties: {
      decision: { type: 'string', title: 'Decision', enum: [...options] },
      reason: { type: 'string', title: 'Reason', description: why },
    },
    required: ['decision'],
  }
}

/** The options, and room for an answer that is none of them. */
function questionFields(
  { question, header, options, multiSelect }: Question,
  index: number,
): [string, Field][] {
  const title = visibleText(header ?? question.slice(0, 80)).replaceAll('\n', ' ')
  if (options.length === 0) return [[otherKey(index), { type: 'string', title }]]
  const shown = shownOptions(options)
  const choice: Field = multiSelect
    ? { type: 'array', title, items: { type: 'string', enum: shown } }
    : { type: 'string', title, enum: shown }
  const other: Field = {
    type: 'string',
    title: `${title}: another answer`,
    description: 'In your own words.',
  }
  return [
    [choiceKey(index), choice],
    [otherKey(index), other],
  ]
}

/** The options with visible characters only and no two equal: a chosen option is found by its position. */
function shownOptions(options: readonly string[]): string[] {
  const shown = options.map((option) => visibleText(option).replaceAll('\n', ' '))
  return shown.map((option, index) => (shown.indexOf(option) === index ? option : `${option} (${index + 1})`))
}

function chosen({ kind, questions }: PendingQuestion, content: unknown): Answer | undefined {
  if (kind === 'question' || kind === 'budget') {
    const given = z.record(z.string(), z.unknown()).safeParse(content)
    const answers = given.success
      ? questions.map((question, index) => answerTo(question, given.data, index))
      : []
    const all = answers.filter((answer) => answer !== undefined)
    return all.length === questions.length ? { answers: all } : undefined
  }
  const given = Decided.safeParse(content)
  if (!given.success) return undefined
  const { decision, reason } = given.data
  const answer = questions[0]?.options.includes(decision)
    ? { answers: [decision] }
    : kind === 'tool'
      ? answerOfRuleOption(decision)
      : undefined
  return answer && { ...answer, ...(reason?.trim() ? { message: reason } : {}) }
}

const Decided = z.object({ decision: z.string(), reason: z.string().optional() })
const Choices = z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([])

function answerTo({ options, multiSelect }: Question, content: Record<string, unknown>, index: number) {
  const shown = shownOptions(options)
  const picked = Choices.parse(content[choiceKey(index)]).map((one) => options[shown.indexOf(one)])
  if (picked.includes(undefined)) return undefined
  const own = z.string().catch('').parse(content[otherKey(index)]).trim()
  // Who says it in their own words means that, and not what a form has chosen for them.
  const all = own === '' ? picked : multiSelect ? [...picked, own] : [own]
  return all.length > 0 ? all.join(', ') : undefined
}

const choiceKey = (at: number) => `answer${at + 1}`
const otherKey = (at: number) => `other${at + 1}`

/** A form that no person can be shown has not been filled in by one. */
function filledIn(asked: PendingQuestion, given: unknown): Answer | undefined {
  const fit = formSchemaOf(asked) && validateContent(asked, given)
  return fit && 'content' in fit ? { answers: [OPTIONS.form[0]], content: fit.content } : undefined
}
