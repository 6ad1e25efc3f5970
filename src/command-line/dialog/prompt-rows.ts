import { inputRow } from '../terminal/input-row.ts'
import type { TypedLine } from '../terminal/typed-line.ts'
import { visibleText } from '../../text/visible-text.ts'
import { packed, wrapped } from '../views/columns.ts'
import type { Prompt } from './dialog-lines.ts'

/** A prompt on a screen. What is typed is in the last row; `cursor` is the column in it, and undefined where nothing is typed. */
export interface PromptRows {
  readonly rows: readonly string[]
  readonly cursor?: number | undefined
}

/** A prompt and what is typed for it, in rows of a screen. Pure. */
export function promptRows(
  { head, choices, label }: Prompt,
  { draft, width, encode }: { draft: TypedLine; width: number; encode: (text: string) => string },
): PromptRows {
  const keys = choices.map((choice) => encode(`[${choice.key}] ${visibleText(choice.label)}`))
  const above = [...head.flatMap((line) => wrapped(encode(line), width)), ...packed(keys, width)]
  if (label === undefined) return { rows: above }
  const { row, cursor } = inputRow(label, draft, { width, encode })
  return { rows: [...above, row], cursor }
}
