import type { Question } from '../../approvals/question.ts'
import { optionOf } from '../views/question-views.ts'

/** Numbers stand for options; where several may be chosen, there may be several. Anything else is a text of the person's own. */
export function replyOf(question: Question | undefined, text: string): string {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  const options = parts.map((part) => optionOf(question, part))
  const areNumbers = options.every((option, at) => option !== parts[at])
  return question?.multiSelect && areNumbers ? [...new Set(options)].join(', ') : optionOf(question, text)
}
