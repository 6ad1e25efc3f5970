/** The CLI wraps an error in tags for its model. Pure. */
export function plainError(text: string): string {
  return text.replace(/^\s*<tool_use_error>|<\/tool_use_error>\s*$/g, '')
}
