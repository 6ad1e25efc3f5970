import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { changesFiles } from '../../../src/shell/file-tools.ts'

type Asked = Pick<PendingQuestion, 'kind' | 'toolName' | 'inputSha256'>

/** Equal for questions about the very same call. Pure. */
export function sameCall({ kind, toolName, inputSha256 }: Asked): string {
  return `${kind} ${toolName} ${inputSha256}`
}

/** Whether one yes may cover them: calls of tools, and of changes of files only the one that is shown. Pure. */
export function mayAllowTogether(questions: readonly Asked[], shown: Asked | undefined): boolean {
  if (questions.some(({ kind }) => kind !== 'tool')) return false
  const changes = questions.filter(({ toolName }) => changesFiles(toolName))
  return changes.every((change) => shown !== undefined && sameCall(change) === sameCall(shown))
}
