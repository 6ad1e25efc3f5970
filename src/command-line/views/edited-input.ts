import { NO_PLAN_TEXT } from '../../approvals/plan.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { editLines, writeLines } from '../../preview/file-change.ts'
import { isSameJson } from '../../text/same-json.ts'
import { visibleText } from '../../text/visible-text.ts'
import { oneLine, textIn } from './session-words.ts'

type Asked = Pick<PendingQuestion, 'toolName' | 'input'> & { readonly kind?: string | undefined }

/** The input of a question as a person edits it, and the name of its file, by which an editor knows its language. */
export function editableText({ toolName, input }: Asked): { readonly text: string; readonly file: string } {
  const command = commandOf({ toolName, input })
  if (command !== undefined) return { text: withNewline(command), file: 'command.sh' }
  return { text: `${JSON.stringify(input, null, 2)}\n`, file: 'input.json' }
}

export type Edited =
  | { readonly kind: 'input'; readonly input: Record<string, unknown> }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'invalid'; readonly problem: string }

/** The input that an edited text stands for. */
export function inputFromText(asked: Asked, text: string): Edited {
  const command = commandOf(asked)
  if (command === undefined) return inputFromJson(asked, text)
  // Editors end a file with a newline; the command need not have one.
  const edited = command.endsWith('\n') || !text.endsWith('\n') ? text : text.slice(0, -1)
  if (edited === command) return { kind: 'unchanged' }
  if (edited.trim() === '') return { kind: 'invalid', problem: 'No command is left.' }
  return { kind: 'input', input: { ...asked.input, command: edited } }
}

/** The same from JSON alone, for scripts. */
export function inputFromJson({ input }: Pick<Asked, 'input'>, text: string): Edited {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    return { kind: 'invalid', problem: `It is not JSON: ${oneLine(why)}.` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'invalid', problem: 'The input must be a JSON object.' }
  return isSameJson(value, input) ? { kind: 'unchanged' } : { kind: 'input', input: { ...value } }
}

/**
 * What an edited input changes: a command or a plan line by line, the change of a file as the diff that is approved and the
 * one that was asked about, and anything else, or a field that these do not show, in the lines of the JSON.
 */
export function inputChange(asked: Asked, input: Asked['input']): string[] {
  const edited = { ...asked, input }
  const [fields, others] = [shownFields(asked), shownFields(edited)]
  const isShown =
    fields.length > 0 &&
    fields.join() === others.join() &&
    isSameJson(without(asked.input, fields), without(input, fields))
  const [field, ...more] = isShown ? fields : []
  // A diff of two diffs would have lines that are in no file.
  if (more.length > 0)
    return isSameJson(asked.input, input) ? [] : [...exactLines(edited), 'in place of:', ...exactLines(asked)]
  const textOf = (one: Asked['input']) =>
    field === undefined ? JSON.stringify(one, null, 2) : String(one[field])
  return changeLines(textOf(asked.input), textOf(input))
}

/** The fields of a call that are shown as what they are: a command, a plan, the change of a file. */
function shownFields({ kind, toolName, input }: Asked): string[] {
  const names = kind === 'plan' ? ['plan'] : (SHOWN[toolName] ?? [])
  return names.every((name) => typeof input[name] === 'string') ? names : []
}

const SHOWN: Readonly<Record<string, string[]>> = {
  Bash: ['command'],
  Edit: ['file_path', 'old_string', 'new_string'],
  Write: ['file_path', 'content'],
}

function without(input: Asked['input'], fields: readonly string[]): Asked['input'] {
  return { ...input, ...Object.fromEntries(fields.map((field) => [field, undefined])) }
}

function commandOf({ toolName, input }: Asked): string | undefined {
  const { command } = input
  return toolName === 'Bash' && typeof command === 'string' ? command : undefined
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

/** What a person changed in a text: `-` lines and `+` lines, with a few that stayed around them. */
function changeLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const top = commonLines(old, now)
  const bottom = commonLines(old.slice(top).toReversed(), now.slice(top).toReversed())
  const removed = old.slice(top, old.length - bottom)
  const added = now.slice(top, now.length - bottom)
  if (removed.length === 0 && added.length === 0) return []
  return [
    ...marked(' ', old.slice(Math.max(0, top - AROUND), top)),
    ...marked('-', removed),
    ...marked('+', added),
    ...marked(' ', old.slice(old.length - bottom, old.length - bottom + AROUND)),
  ]
}

function commonLines(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((line, index) => line !== b[index])
  return at === -1 ? Math.min(a.length, b.length) : at
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) => `${mark} ${visibleText(line)}`.trimEnd())
}

const AROUND = 2

/** A call, or a question; only one with choices needs these. */
type ExactCall = Pick<PendingQuestion, 'toolName' | 'input'> &
  Partial<Pick<PendingQuestion, 'questions'>> & { readonly kind?: string | undefined }

/** Exactly what would happen, in lines: a command, the change of a file, a plan, questions with their options. */
export function exactLines({ kind, toolName, input, questions = [] }: ExactCall): string[] {
  if (kind === 'question' || kind === 'budget')
    return questions.flatMap(({ question, options, descriptions }) => [
      ...linesOf(question),
      ...options.map((option, at) => `  ${at + 1}. ${described(option, descriptions?.[at])}`),
    ])
  if (kind === 'plan' && typeof input['plan'] === 'string') return linesOf(input['plan'])
  if (kind === 'plan' && Object.keys(input).length === 0) return [NO_PLAN_TEXT]
  const { command, content, old_string: before, new_string: after } = input
  if (toolName === 'Bash' && typeof command === 'string') return [...linesOf(command), ...otherFields(input)]
  if (toolName === 'Edit' && typeof before === 'string' && typeof after === 'string')
    return [fileLine(input), ...editLines(before, after)]
  if (toolName === 'Write' && typeof content === 'string') return [fileLine(input), ...writeLines(content)]
  return linesOf(JSON.stringify(input, null, 2))
}

/** Also what else the call says, such as that it runs in the background: nothing of it is hidden. */
function otherFields(input: ExactCall['input']): string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    if (name === 'command') return []
    return oneLine(`(${name}: ${typeof value === 'string' ? value : JSON.stringify(value)})`)
  })
}

function described(option: string, description: string | undefined): string {
  return oneLine(description ? `${option}: ${description}` : option)
}

function fileLine(input: ExactCall['input']): string {
  return textIn(input, 'file_path') ?? ''
}

function linesOf(text: string): string[] {
  return visibleText(text).split('\n')
}
