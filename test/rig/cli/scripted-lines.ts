/** What the scripted child prints in place of the CLI. */
export type ScriptStep = Record<string, unknown>

export const init: ScriptStep = {
  line: { type: 'system', subtype: 'init', session_id: '11111111-1111-4111-8111-111111111111' },
}
export const result: ScriptStep = {
  line: { type: 'result', subtype: 'success', is_error: false, result: 'fine' },
}

/** A whole turn for the next prompt. */
export const turn = (...steps: ScriptStep[]): ScriptStep[] => [{ echo: '"user"' }, init, ...steps, result]

/** A question that waits for its answer. */
export const question = (id: string): ScriptStep[] => [
  {
    line: {
      type: 'control_request',
      request_id: id,
      request: {
        subtype: 'can_use_tool',
        tool_name: 'Bash',
        input: { command: 'date' },
        tool_use_id: `tool-${id}`,
      },
    },
  },
  { await: `"${id}"` },
  {
    line: {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: `tool-${id}`, content: 'ran' }] },
    },
  },
]

/** A tool call that is seen before it runs. */
export const seen = (id: string, command: string): ScriptStep => ({
  line: {
    type: 'control_request',
    request_id: id,
    request: {
      subtype: 'hook_callback',
      callback_id: 'hook_0',
      tool_use_id: `tool-${id}`,
      input: { tool_name: 'Bash', tool_input: { command }, tool_use_id: `tool-${id}` },
    },
  },
})
