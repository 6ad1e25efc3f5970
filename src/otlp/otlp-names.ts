/**
 * Every name that a collector sees, in one place: those of the semantic conventions for generative AI, and our own. The
 * conventions still move; a change of theirs is a change of this file.
 */
export const SPAN = {
  turn: 'invoke_agent',
  call: 'execute_tool',
  approval: 'plexus.approval',
} as const

export const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agentId: 'gen_ai.agent.id',
  agentName: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  model: 'gen_ai.request.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  tool: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  errorType: 'error.type',
  turn: 'plexus.turn',
  outcome: 'plexus.outcome',
  approvalId: 'plexus.approval.id',
  decision: 'plexus.approval.decision',
  by: 'plexus.approval.by',
  rule: 'plexus.approval.rule',
  scope: 'plexus.approval.scope',
  shownHash: 'plexus.approval.shown_hash',
} as const

export const PROVIDER = 'anthropic'
export const SERVICE = 'plexus'
