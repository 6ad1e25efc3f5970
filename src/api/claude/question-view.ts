import { z } from 'zod'
import type { PendingQuestion } from '../../engine/engine.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { shortened, shortText, shortTexts } from '../views/shorten-text.ts'

export const QuestionView = z.looseObject({
  id: z.string(),
  type: z.enum(['tool_approval', 'plan_approval', 'question', 'form']),
  toolName: z.string(),
  input: z
    .record(z.string(), z.unknown())
    .describe('What would run. Long texts are cut; fullInput gives all.'),
  inputSha256: z.string().optional(),
  questions: z.array(
    z.looseObject({
      question: z.string(),
      header: z.string().optional(),
      options: z.array(z.string()),
      descriptions: z.array(z.string()).optional(),
      multiSelect: z.boolean().optional(),
    }),
  ),
  cwd: z.string().optional().describe('The folder that it would run in.'),
  suggestedRules: z
    .array(z.string())
    .optional()
    .describe('What remember "suggested" would allow too, besides this very call.'),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  sessionId: z.string().optional().describe('The session that asks, where it is another than this one.'),
  escalated: z
    .array(z.looseObject({ by: z.string(), note: z.string().optional() }))
    .optional()
    .describe('Who handed it up to you, and what they say about it.'),
})
export type QuestionView = z.infer<typeof QuestionView>

const TYPES = {
  tool: 'tool_approval',
  plan: 'plan_approval',
  question: 'question',
  form: 'form',
} as const

/** A question for who is to answer it. What was cut can be asked for, and cannot be answered by mistake: its hash is there. */
export function questionView(asked: PendingQuestion, fullInput: boolean): QuestionView {
  const { value: input, cut } = fullInput ? { value: { ...asked.input }, cut: false } : shortened(asked.input)
  const shown = (texts: readonly string[]) =>
    fullInput ? [...texts] : shortTexts(texts, ...OPTION_CHARACTERS)
  return {
    id: asked.id,
    type: TYPES[asked.kind],
    toolName: asked.toolName,
    input,
    ...(cut || fullInput ? { inputSha256: asked.inputSha256 } : {}),
    questions: asked.questions.map(({ question, header, options, descriptions, multiSelect }) => ({
      question: fullInput ? question : shortText(question, QUESTION_CHARACTERS[asked.kind]),
      options: shown(options),
      ...definedFields({ header }),
      ...(descriptions?.some((text) => text !== '') ? { descriptions: shown(descriptions) } : {}),
      ...(multiSelect ? { multiSelect } : {}),
    })),
    ...definedFields({ cwd: asked.cwd }),
    ...(asked.suggestedRules.length > 0 ? { suggestedRules: [...asked.suggestedRules] } : {}),
    createdAt: new Date(asked.openedAt).toISOString(),
    ...(asked.escalations
      ? { escalated: asked.escalations.map(({ by, note }) => ({ by, ...definedFields({ note }) })) }
      : {}),
    ...(asked.expiresAt === undefined ? {} : { expiresAt: new Date(asked.expiresAt).toISOString() }),
  }
}

/** The same in brief: which it is, and a line of what it asks. */
export const BriefQuestion = QuestionView.partial()
  .required({ id: true, type: true, toolName: true })
  .extend({
    line: z
      .string()
      .optional()
      .describe('What it asks, in brief; in full when it is the oldest, or by fullInput.'),
  })
export type BriefQuestion = z.infer<typeof BriefQuestion>

export function briefQuestion({ id, kind, toolName, questions: [first] }: PendingQuestion): BriefQuestion {
  const line = shortText(first?.question ?? '', LINE_CHARACTERS).replaceAll('\n', ' ')
  return { id, type: TYPES[kind], toolName, line }
}

/** Questions in full as long as they are short together, the rest in brief. */
export function someInFull(asked: readonly PendingQuestion[], fullInput: boolean): BriefQuestion[] {
  let left = fullInput ? Infinity : FULL_CHARACTERS
  return asked.map((one) => {
    const view = questionView(one, fullInput)
    left -= JSON.stringify(view).length
    return left >= 0 ? view : briefQuestion(one)
  })
}

/** A plan is to be read before it is approved; of a tool its input says the same, and all of it. */
const QUESTION_CHARACTERS = { tool: 300, form: 2_000, question: 20_000, plan: 200_000 } as const
/** Of each option, and of all of them. */
const OPTION_CHARACTERS = [500, 4_000] as const
const LINE_CHARACTERS = 120
/** Besides the oldest. */
const FULL_CHARACTERS = 3_000
