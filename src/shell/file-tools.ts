/** Tools of the CLI that change a file. The change is in their input, so nobody can judge it by the name of the file alone. */
export const CHANGING_TOOLS = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'] as const

export function changesFiles(toolName: string): boolean {
  return CHANGING_TOOLS.some((tool) => tool === toolName)
}
