import { CHANGING_TOOLS } from '../../shell/file-tools.ts'

/**
 * Tools that change nothing outside the session's own notes and send nothing away. A tool that is not listed counts as a
 * tool that writes: fetching from the web, starting agents, skills, language servers, MCP tools.
 */
const HARMLESS_TOOLS: ReadonlySet<string> = new Set([
  'Read',
  'Glob',
  'Grep',
  'LS',
  'NotebookRead',
  'TodoRead',
  'TodoWrite',
  'ToolSearch',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskUpdate',
  'TaskOutput',
  'BashOutput',
  'AgentOutputTool',
  'CronList',
  'ListAgents',
  'ListMcpResourcesTool',
  'WaitForMcpServers',
  'StructuredOutput',
])

/**
 * Tools that the CLI asks about by itself, by its rules and its mode, or that only lead to further calls, each of which is
 * seen. A tool of the CLI that is in neither list (it creates a worktree, schedules a prompt, writes to another session, or
 * came with a newer version) is not known to be asked about, so our hook asks.
 */
const LEFT_TO_THE_CLI: ReadonlySet<string> = new Set([
  ...CHANGING_TOOLS,
  'WebFetch',
  'WebSearch',
  'Task',
  'Agent',
  'TaskStop',
  'KillShell',
  'Skill',
  'SlashCommand',
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'ReadMcpResourceTool',
  'ReportFindings',
])

export function isHarmlessTool(toolName: string): boolean {
  return HARMLESS_TOOLS.has(toolName)
}

/** Whether the CLI can be left to decide about a tool that runs no commands. */
export function isLeftToTheCli(toolName: string): boolean {
  return isHarmlessTool(toolName) || LEFT_TO_THE_CLI.has(toolName) || toolName.startsWith('mcp__')
}
