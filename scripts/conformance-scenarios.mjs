// Which scenarios of the conformance suite are meant for a server such as ours, and why the others are not.

/** By revision of the protocol: the suite says for each what it requires. */
export const SCENARIOS = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'resources-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'caching',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'dns-rebinding-protection',
  ],
}

const tool = (...names) => `Calls ${names.join(', ')} of the suite's own server.`
const resource = (uri) => `Wants ${uri} of the suite's own server.`
const PROMPTS = 'We have no prompts and do not say that we had.'
const TASKS = 'An extension; we have no tasks and do not say that we had.'
const ASKS = 'test_input_required_result_elicitation'

export const NOT_FOR_US = {
  'completion-complete': 'We complete nothing and do not say that we did.',
  'logging-set-level': 'We send no log messages and do not say that we did.',
  'tools-call-simple-text': tool('test_simple_text'),
  'tools-call-image': tool('test_image_content'),
  'tools-call-audio': tool('test_audio_content'),
  'tools-call-embedded-resource': tool('test_embedded_resource'),
  'tools-call-mixed-content': tool('test_multiple_content_types'),
  'tools-call-with-logging': tool('test_tool_with_logging'),
  'tools-call-error': tool('test_error_handling'),
  'tools-call-with-progress': tool('test_tool_with_progress'),
  'tools-call-sampling': tool('test_sampling'),
  'tools-call-elicitation': tool('test_elicitation'),
  'elicitation-sep1034-defaults': tool('test_elicitation_sep1034_defaults'),
  'elicitation-sep1330-enums': tool('test_elicitation_sep1330_enums'),
  'json-schema-2020-12': tool('json_schema_2020_12_tool'),
  'server-sse-polling': `${tool('test_reconnection')} No stream of ours is resumed: events have a seq to be read from.`,
  'resources-read-text': resource('test://static-text'),
  'resources-read-binary': resource('test://static-binary'),
  'resources-templates-read': resource('test://template/123/data'),
  'resources-subscribe': resource('test://watched-resource'),
  'resources-unsubscribe': resource('test://watched-resource'),
  'prompts-list': PROMPTS,
  'prompts-get-simple': PROMPTS,
  'prompts-get-with-args': PROMPTS,
  'prompts-get-embedded-resource': PROMPTS,
  'prompts-get-with-image': PROMPTS,
  'http-custom-header-server-validation': 'No tool of ours has a parameter that goes into a header.',
  'input-required-result-basic-elicitation': tool(ASKS),
  'input-required-result-basic-sampling': tool('test_input_required_result_sampling'),
  'input-required-result-basic-list-roots': tool('test_input_required_result_list_roots'),
  'input-required-result-request-state': tool('test_input_required_result_request_state'),
  'input-required-result-multiple-input-requests': tool('test_input_required_result_multiple_inputs'),
  'input-required-result-multi-round': tool('test_input_required_result_multi_round'),
  'input-required-result-missing-input-response': tool(ASKS),
  'input-required-result-non-tool-request': PROMPTS,
  'input-required-result-result-type': tool(ASKS),
  'input-required-result-tampered-state': tool('test_input_required_result_tampered_state'),
  'input-required-result-capability-check': tool('test_input_required_result_capabilities'),
  'input-required-result-ignore-extra-params': tool(ASKS),
  'input-required-result-validate-input': `${tool(ASKS)} It would pass for want of the tool.`,
  'tasks-lifecycle': TASKS,
  'tasks-capability-negotiation': TASKS,
  'tasks-wire-fields': TASKS,
  'tasks-request-state-removal': TASKS,
  'tasks-mrtr-input': TASKS,
  'tasks-request-headers': TASKS,
  'tasks-dispatch-and-envelope': TASKS,
  'tasks-status-notifications': TASKS,
  'tasks-required-task-error': TASKS,
  'tasks-mrtr-composition': TASKS,
}

/** Single checks of scenarios that are meant for us. */
export const CHECKS_NOT_FOR_US = {
  'server-stateless': {
    'sep-2575-server-rejects-undeclared-capability': tool('test_missing_capability'),
    'sep-2575-missing-capability-http-400': tool('test_missing_capability'),
    'sep-2575-http-server-no-independent-requests-on-stream': tool('test_streaming_elicitation'),
    'sep-2575-server-no-log-without-loglevel': tool('test_logging_tool'),
  },
  caching: { 'sep-2549-prompts-list-caching-hints': PROMPTS },
}
