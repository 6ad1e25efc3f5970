type Content = string | readonly unknown[]

/**
 * The last text of every prompt that we send to the CLI. The CLI looks for file mentions (`@`), commands (`/`) and the like
 * in the last text of a message and nowhere else: because that text is always this marker, whatever a caller says is data.
 * It may be neither empty nor anything that the CLI knows.
 */
export const END_OF_PROMPT = '[end of message]'

/** The caller's content, unchanged, followed by the marker. */
export function withEnd(content: Content): unknown[] {
  const said = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return [...said, { type: 'text', text: END_OF_PROMPT }]
}

/** The caller's content of a message that ends with the marker; any other message is returned as it is. */
export function withoutEnd<T extends Content>(content: T): T | string | unknown[] {
  if (typeof content === 'string' || content.length < 2 || textOf(content.at(-1)) !== END_OF_PROMPT)
    return content
  const said = content.slice(0, -1)
  return (said.length === 1 ? textOf(said[0]) : undefined) ?? said
}

function textOf(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null || !('text' in block)) return undefined
  return typeof block.text === 'string' ? block.text : undefined
}
