import type { PendingQuestion } from '../../../src/engine/engine.ts'

type Asked = Pick<PendingQuestion, 'kind' | 'toolName' | 'inputSha256'>

/** Equal for questions about the very same call. Pure. */
export function sameCall({ kind, toolName, inputSha256 }: Asked): string {
  return `${kind} ${toolName} ${inputSha256}`
}

/** Tools whose input is a change that a person has to read: their one line names only the file. */
const CHANGES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

/** Whether one yes may cover them: calls of tools, and of changes of files only the one that is shown. Pure. */
export function mayAllowTogether(questions: readonly Asked[], shown: Asked | undefined): boolean {
  if (questions.some(({ kind }) => kind !== 'tool')) return false
  const changes = questions.filter(({ toolName }) => CHANGES.has(toolName))
  return changes.every((change) => shown !== undefined && sameCall(change) === sameCall(shown))
}
