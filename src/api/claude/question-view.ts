import { z } from 'zod'
import type { PendingQuestion } from '../../engine/engine.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { shortenValue, shortenText, shortenTexts } from '../views/shorten-text.ts'

export const QuestionView = z.looseObject({
  id: z.string(),
  shortId: z.string().optional(),
  type: z.enum(['tool_approval', 'plan_approval', 'question', 'form', 'budget']),
  toolName: z.string(),
  input: z
    .record(z.string(), z.unknown())
    .describe('What would run. Long texts are cut; fullInput shows all.'),
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
  cwd: z.string().optional().describe('The folder in which it would run.'),
  suggestedRules: z
    .array(z.string())
    .optional()
    .describe('What remember "suggested" would allow, besides this exact call.'),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  sessionId: z.string().optional().describe('The asking session, if it is not this one.'),
  escalated: z
    .array(z.looseObject({ by: z.string(), note: z.string().optional() }))
    .optional()
    .describe('Who escalated it to you, and their note.'),
})
export type QuestionView = z.infer<typeof QuestionView>

const TYPES = {
  tool: 'tool_approval',
  plan: 'plan_approval',
  question: 'question',
  form: 'form',
  budget: 'budget',
} as const

/** A question for its answerer. A cut input comes with its hash, so that an answer can name exactly what was asked. */
export function questionView(asked: PendingQuestion, fullInput: boolean): QuestionView {
  const { value: input, cut } = fullInput
    ? { value: { ...asked.input }, cut: false }
    : shortenValue(asked.input)
  const shown = (texts: readonly string[]) =>
    fullInput ? [...texts] : shortenTexts(texts, ...OPTION_CHARACTERS)
  return {
    id: asked.id,
    ...definedFields({ shortId: asked.shortId }),
    type: TYPES[asked.kind],
    toolName: asked.toolName,
    input,
    ...(cut || fullInput ? { inputSha256: asked.inputSha256 } : {}),
    questions: asked.questions.map(({ question, header, options, descriptions, multiSelect }) => ({
      question: fullInput ? question : shortenText(question, QUESTION_CHARACTERS[asked.kind]),
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

/** A question in brief: its id, kind and tool, and one line. */
export const BriefQuestion = QuestionView.partial()
  .required({ id: true, type: true, toolName: true })
  .extend({
    line: z
      .string()
      .optional()
      .describe('What it asks, in brief; shown in full when it is the oldest, or with fullInput.'),
  })
export type BriefQuestion = z.infer<typeof BriefQuestion>

export function briefQuestion(asked: PendingQuestion): BriefQuestion {
  const { id, shortId, kind, toolName, questions } = asked
  const [first] = questions
  const line = shortenText(first?.question ?? '', LINE_CHARACTERS).replaceAll('\n', ' ')
  return { id, ...definedFields({ shortId }), type: TYPES[kind], toolName, line }
}

/** The first questions in full, as long as they are short together; the others in brief. */
export function questionViews(asked: readonly PendingQuestion[], fullInput: boolean): BriefQuestion[] {
  let left = fullInput ? Infinity : FULL_CHARACTERS
  return asked.map((question) => {
    const view = questionView(question, fullInput)
    left -= JSON.stringify(view).length
    return left >= 0 ? view : briefQuestion(question)
  })
}

/** A plan must be readable before it is approved. For a tool the input says the same, in full. */
const QUESTION_CHARACTERS = {
  tool: 300,
  form: 2_000,
  budget: 2_000,
  question: 20_000,
  plan: 200_000,
} as const
/** The limit of each option, and of all options together. */
const OPTION_CHARACTERS = [500, 4_000] as const
const LINE_CHARACTERS = 120
/** The limit for the questions after the oldest. */
const FULL_CHARACTERS = 3_000
