/** Tools of the CLI that run a command or code of the model, in lower case: the case of a name never matters. */
const COMMAND_TOOLS: ReadonlySet<string> = new Set(['bash', 'powershell', 'monitor', 'repl'])

export function runsCommands(toolName: string): boolean {
  return toolName === 'Bash' || COMMAND_TOOLS.has(toolName.toLowerCase())
}

/** Whether the name in a rule, which may contain wildcards, could stand for a tool that runs commands. */
export function couldNameCommandTool(name: string): boolean {
  const [start = '', ...rest] = name.trim().toLowerCase().split('*')
  return rest.length > 0 ? [...COMMAND_TOOLS].some((tool) => tool.startsWith(start)) : runsCommands(start)
}
