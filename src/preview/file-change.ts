import type { Approval } from '../approvals/approval.ts'
import { type ChangedLine, lineChanges } from '../text/line-changes.ts'
import { visibleText } from '../text/visible-text.ts'

/** The fields of a question that say what the call would do. */
export type AskedCall = Pick<Approval, 'kind' | 'toolName' | 'input' | 'cwd' | 'openedAt'>

/** A file as it is now. */
export type FileNow = 'missing' | { readonly text: string; readonly changedAt: number }

/** What an edit or a write would do to a file: a few words, and a diff whose lines begin with a space, `-`, `+` or `@`. */
export interface FileChange {
  readonly note: string
  readonly lines: readonly string[]
  /** The lines are those of the call alone: where they are in the file is not known. */
  readonly isUnplaced?: true | undefined
}

/**
 * What a call that was decided on would have done, by its input alone: the file has changed since, by this very call too, and
 * a comparison with it would show a change that nobody decided on. Undefined for a question that changes no file. Pure.
 */
export function decidedChange(question: AskedCall): FileChange | undefined {
  if (!editOf(question)) return undefined
  const { old_string: before, new_string: after, content } = question.input
  const [old, now] = question.toolName === 'Write' ? ['', content] : [before, after]
  const changes = lineChanges(linesOf(String(old)), linesOf(String(now)))
  const lines = changes
    .filter(({ text }) => text !== NO_NEWLINE)
    .map(({ mark, text }) => `${mark} ${visibleText(text)}`)
  return { note: question.toolName === 'Write' ? 'the whole text' : '', lines, isUnplaced: true }
}

/** Undefined for a question that changes no file. Pure. */
export function fileChange(question: AskedCall, now: FileNow): FileChange | undefined {
  const edit = editOf(question)
  if (!edit) return undefined
  const before = now === 'missing' ? '' : now.text
  const after = edit(before)
  if (after === undefined)
    return {
      note: 'the text to replace is not in the file as it is now',
      lines: editLines(String(question.input['old_string']), String(question.input['new_string'])),
      isUnplaced: true,
    }
  const changes = lineChanges(linesOf(before), linesOf(after))
  const count = (mark: string) => changes.filter((line) => line.mark === mark).length
  const isLater = now !== 'missing' && now.changedAt > question.openedAt
  const words = [
    ...(now === 'missing' ? ['new file'] : []),
    before === after ? 'nothing changes' : `+${count('+')} -${count('-')}`,
    ...(isLater ? ['the file was changed since this was asked'] : []),
  ]
  return { note: words.join(', '), lines: hunks(changes) }
}

/** What the call makes of the text of the file; undefined where it does not apply to it. */
function editOf({ kind, toolName, input }: AskedCall): ((text: string) => string | undefined) | undefined {
  const { content, old_string: before, new_string: after, replace_all: all } = input
  if (kind !== 'tool') return undefined
  if (toolName === 'Write' && typeof content === 'string') return () => content
  if (toolName !== 'Edit' || typeof before !== 'string' || typeof after !== 'string') return undefined
  return (text) => {
    if (before === '') return text === '' ? after : undefined
    if (!text.includes(before)) return undefined
    // As a function, because a text may contain what `replace` takes for a pattern.
    return all === true ? text.replaceAll(before, () => after) : text.replace(before, () => after)
  }
}

/**
 * The lines of an edit by its input alone. The text is a part of a file, so that it need not end with a line; a newline that
 * both ends have is no line of its own. Pure.
 */
export function editLines(before: string, after: string): string[] {
  const isWhole = before.endsWith('\n') && after.endsWith('\n')
  const partsOf = (text: string) => visibleText(isWhole ? text.slice(0, -1) : text).split('\n')
  return [...partsOf(before).map((line) => `- ${line}`), ...partsOf(after).map((line) => `+ ${line}`)]
}

/** The lines of a file that is written whole. Pure. */
export function writeLines(content: string): string[] {
  return linesOf(content).map((line) => `+ ${visibleText(line)}`)
}

/** As git shows it, a last line without a newline is followed by a line that says so. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : [...lines, NO_NEWLINE]
}

/** The changed lines with those around them; `@ line 12` is where a part begins in the file as it is now. */
function hunks(changes: readonly ChangedLine[]): string[] {
  const near = new Set(
    changes.flatMap(({ mark }, at) =>
      mark === ' ' ? [] : Array.from({ length: 2 * CONTEXT + 1 }, (_, step) => at + step - CONTEXT),
    ),
  )
  const shown: string[] = []
  let number = 1
  for (const [at, { mark, text }] of changes.entries()) {
    if (near.has(at)) {
      if (!near.has(at - 1) && number > 1) shown.push(`@ line ${number}`)
      shown.push(`${mark} ${visibleText(text)}`)
    }
    if (mark !== '+') number++
  }
  return shown
}

const CONTEXT = 3
/** It is no line of the file. */
export const NO_NEWLINE = '(no newline at the end of the file)'
