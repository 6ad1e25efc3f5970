import type { Question } from '../../approvals/question.ts'

type Asked = Pick<Question, 'options' | 'multiSelect'>

/**
 * A number or a name stands for an option, a name whatever its case; where several may be chosen, there may be several.
 * Anything else is a text of the person's own.
 */
export function replyOf(question: Asked | undefined, text: string): string {
  const readings = question?.multiSelect ? [[text], text.split(','), partsOf(question, text)] : [[text]]
  for (const parts of readings) {
    const options = parts.map((part) => meantOption(question, part.trim()))
    if (options.every((option) => option !== undefined)) return [...new Set(options)].join(', ')
  }
  return text
}

/** The number of an option stands for it. */
export function optionOf(question: Pick<Question, 'options'> | undefined, text: string): string {
  const number = /^[1-9]\d?$/.test(text) ? Number(text) : Number.NaN
  return question?.options[number - 1] ?? text
}

/** Undefined where the text is no option, or may be one of several. */
function meantOption(question: Asked | undefined, text: string): string | undefined {
  const { options = [] } = question ?? {}
  const exact = optionOf(question, text)
  if (options.includes(exact)) return exact
  const alike = options.filter((option) => option.toLowerCase() === text.toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}

/** Why a reply is refused: a number that no option has is a slip, and never meant as a text. */
export function replyProblem(question: Asked | undefined, text: string): string | undefined {
  const { options = [] } = question ?? {}
  const parts = partsOf(question, text)
  if (options.length === 0 || !parts.every((part) => /^\d+$/.test(part) || options.includes(part)))
    return undefined
  const wrong = parts.find((part) => !options.includes(part) && optionOf(question, part) === part)
  if (wrong === undefined) return undefined
  const count = options.length === 1 ? 'is 1 option' : `are ${options.length} options`
  return `There ${count}, so ${wrong} is none of them; type a number from 1 to ${options.length}, or a text.`
}

function partsOf(question: Asked | undefined, text: string): string[] {
  return question?.multiSelect ? text.split(/[\s,]+/).filter((part) => part !== '') : [text.trim()]
}
