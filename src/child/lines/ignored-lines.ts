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
  // Only text has a meaning here, and not everything can be made text.
  if (!('type' in json) || typeof json.type !== 'string') return false
  const subtype = json.type === 'system' && 'subtype' in json ? json.subtype : undefined
  return QUIET.has(typeof subtype === 'string' ? `system/${subtype}` : json.type)
}
