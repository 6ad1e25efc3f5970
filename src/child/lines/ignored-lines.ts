/** Kinds of lines whose content is reported by other lines too: they are not logged. */
const IGNORED = new Set([
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

export function isIgnored(json: object): boolean {
  // Only a string is a valid type, and not every value can be converted to one.
  if (!('type' in json) || typeof json.type !== 'string') return false
  const subtype = json.type === 'system' && 'subtype' in json ? json.subtype : undefined
  return IGNORED.has(typeof subtype === 'string' ? `system/${subtype}` : json.type)
}
