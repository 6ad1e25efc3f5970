const SESSION_ID = '3684419d-4877-4e96-adb3-fa6b4aeebe66'
const PLACE = { session_id: SESSION_ID, parent_tool_use_id: null }
const WORDS = [
  'reads the file',
  ' and then',
  ' naive',
  ' the test "passes"',
  ' -> done\n',
  'const x = 1\n',
  ' it',
]
const CONTEXT = { cwd: '/home/somebody/project', permission_mode: 'default', hook_event_name: 'PreToolUse' }
const DELTAS = 80
const MESSAGES = 20

/** What a CLI prints in a long session, turn after turn: with partial messages nine lines in ten are deltas. */
export function* outputOf(): Generator<string, never> {
  for (let turn = 0, message = 0; ; turn++) {
    yield lineOf({
      type: 'system',
      subtype: 'init',
      cwd: CONTEXT.cwd,
      session_id: SESSION_ID,
      model: 'claude',
    })
    yield lineOf({
      type: 'user',
      message: { role: 'user', content: 'go' },
      ...PLACE,
      uuid: uuidOf(turn),
      isReplay: true,
    })
    for (const end = message + MESSAGES; message < end; message++) yield messageOf(message)
    yield lineOf({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'done',
      num_turns: MESSAGES,
      total_cost_usd: turn,
      usage: { input_tokens: 12735, output_tokens: 8 },
      session_id: SESSION_ID,
    })
  }
}

/** Some text, then a call of a tool with what came of it. */
function messageOf(at: number): string {
  const message = {
    id: `msg_${at}`,
    type: 'message',
    role: 'assistant',
    model: 'claude',
    usage: { input_tokens: at },
  }
  const toolUseId = `toolu_${at}`
  const input = { command: `npm test -- part-${at}`, description: 'Runs a part of the tests' }
  const words = Array.from({ length: DELTAS }, (_, nth) => WORDS[(at + nth) % WORDS.length] ?? '')
  const streamed = (event: object, nth: number) => ({
    type: 'stream_event',
    event,
    ...PLACE,
    uuid: uuidOf(at * 1000 + nth),
    api_message_id: message.id,
  })
  const said = (block: object) => ({
    type: 'assistant',
    message: { ...message, content: [block] },
    ...PLACE,
    uuid: uuidOf(at),
  })
  const result = {
    tool_use_id: toolUseId,
    type: 'tool_result',
    content: 'ok 1 - passes\n'.repeat(80),
    is_error: false,
  }
  return [
    streamed({ type: 'message_start', message }, 0),
    streamed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 1),
    ...words.map((text, nth) =>
      streamed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, nth + 2),
    ),
    said({ type: 'text', text: words.join('') }),
    streamed({ type: 'content_block_stop', index: 0 }, 990),
    ...(JSON.stringify(input)
      .match(/.{1,12}/g)
      ?.map((partial_json, nth) =>
        streamed(
          { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json } },
          nth + 900,
        ),
      ) ?? []),
    said({ type: 'tool_use', id: toolUseId, name: 'Bash', input }),
    streamed({ type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null } }, 991),
    streamed({ type: 'message_stop' }, 992),
    {
      type: 'control_request',
      request_id: uuidOf(at),
      request: {
        subtype: 'hook_callback',
        callback_id: 'plexus',
        input: {
          ...CONTEXT,
          session_id: SESSION_ID,
          tool_name: 'Bash',
          tool_input: input,
          tool_use_id: toolUseId,
        },
        tool_use_id: toolUseId,
      },
    },
    { type: 'user', message: { role: 'user', content: [result] }, ...PLACE, uuid: uuidOf(at) },
  ]
    .map(lineOf)
    .join('')
}

function uuidOf(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
}

function lineOf(line: object): string {
  return `${JSON.stringify(line)}\n`
}
