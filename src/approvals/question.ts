import { z } from 'zod'
import { budgetQuestion, useIn } from '../budgets/budget-question.ts'
import type { Approval } from './approval.ts'
import { PLAN_OPTIONS, planQuestion } from './plan.ts'

/** A question as text. An approval has one, or as many as AskUserQuestion asks. */
export interface Question {
  readonly question: string
  readonly header?: string | undefined
  readonly options: readonly string[]
  readonly descriptions?: readonly string[] | undefined
  readonly multiSelect: boolean
  /** Whether an answer outside the options is valid. */
  readonly freeText: boolean
}

type Asked = Pick<Approval, 'kind' | 'toolName' | 'input'>

export const OPTIONS = {
  tool: ['allow', 'deny'],
  plan: PLAN_OPTIONS,
  form: ['accept', 'decline', 'cancel'],
} as const

export function questionsOf(approval: Asked): Question[] {
  if (approval.kind === 'question') return askedQuestions(approval.input)
  if (approval.kind === 'budget')
    return [{ ...budgetQuestion(useIn(approval.input)), multiSelect: false, freeText: true }]
  return [
    { question: sentenceOf(approval), options: OPTIONS[approval.kind], multiSelect: false, freeText: false },
  ]
}

const Asked = z.object({
  questions: z
    .array(
      z.object({
        question: z.string(),
        header: z.string().optional().catch(undefined),
        options: z.array(z.object({ label: z.string(), description: z.string().catch('') })).catch([]),
        multiSelect: z.boolean().catch(false),
      }),
    )
    .min(1), // an empty list could never be answered
})

/** The questions of AskUserQuestion. If its input is not valid, the whole input is one question with a free answer. */
function askedQuestions(input: Asked['input']): Question[] {
  const asked = Asked.safeParse(input)
  if (!asked.success)
    return [{ question: JSON.stringify(input), options: [], multiSelect: false, freeText: true }]
  return asked.data.questions.map(({ question, header, options, multiSelect }) => ({
    question,
    header,
    options: options.map(({ label }) => label),
    descriptions: options.map(({ description }) => description),
    multiSelect,
    freeText: true,
  }))
}

function sentenceOf({ kind, toolName, input }: Asked): string {
  if (kind === 'plan') return planQuestion(text(input['plan']))
  if (kind === 'form') return `The MCP server ${toolName} asks: ${text(input['message'])}`
  const subject =
    text(input['command']) || text(input['file_path']) || text(input['url']) || text(input['pattern'])
  return `Claude wants to use ${toolName}${subject === '' ? '' : `: ${subject}`}`
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
