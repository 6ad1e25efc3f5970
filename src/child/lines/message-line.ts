/** A message for the child's stdin. */
export type ChildMessage = Readonly<Record<string, unknown>>

/** U+2028 and U+2029 are legal inside JSON strings but end a line for some readers. */
export function lineOf(message: ChildMessage): string {
  return `${JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
}
