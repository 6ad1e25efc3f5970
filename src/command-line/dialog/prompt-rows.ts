import { visibleText } from '../../text/visible-text.ts'
import { packed, wrapped } from '../views/columns.ts'
import type { Prompt } from './dialog-lines.ts'

/** A prompt and what is typed for it, in rows of a screen; in the last one the cursor stays. Pure. */
export function promptRows(
  { head, choices, label }: Prompt,
  { draft, width, encode }: { draft: string; width: number; encode: (text: string) => string },
): string[] {
  const keys = choices.map((choice) => encode(`[${choice.key}] ${visibleText(choice.label)}`))
  const input = label === undefined ? [] : wrapped(encode(label + visibleText(draft)), width)
  return [
    ...head.flatMap((line) => wrapped(encode(line), width)),
    ...packed(keys, width),
    // The end of a long line is what is being typed.
    ...input.slice(-1),
  ]
}
