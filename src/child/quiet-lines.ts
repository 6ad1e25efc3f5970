/** Kinds that tell nothing that another line does not tell: kept out of the log. */
const QUIET = new Set([
  'command_lifecycle',
  'keep_alive',
  'prompt_suggestion',
  'tool_progress',
  'tool_use_summary',
  'system/background_tasks_changed',
  'system/commands_changed',
  'system/control_request_progress',
  'system/hook_progress',
  'system/hook_response',
  'system/hook_started',
  'system/session_state_changed',
  'system/session_title_changed',
  'system/task_progress',
  'system/thinking_tokens',
])

export function isQuiet(json: object): boolean {
  if (!('type' in json)) return false
  const kind = json.type === 'system' && 'subtype' in json ? `system/${String(json.subtype)}` : json.type
  return QUIET.has(String(kind))
}
