import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { Block, ChildLine } from './child-line.ts'
import { isIgnored } from './ignored-lines.ts'
import { type LineContext, requestEvents } from './request-to-events.ts'
import { systemEvents } from './system-to-events.ts'

type Line<T extends ChildLine['type']> = Extract<ChildLine, { type: T }>

/** The events of one line of the CLI. Pure; most lines are one event or none. */
export function eventsOf(line: ChildLine, context: LineContext): SessionEvent[] {
  switch (line.type) {
    case 'stream_event':
      return streamEvents(line)
    case 'assistant':
      return line.message.content.flatMap((block) => assistantEvents(block, line))
    case 'user':
      return userEvents(line)
    case 'result':
      return resultEvents(line)
    case 'system':
      return systemEvents(line)
    case 'control_request':
      return requestEvents(line, context)
    case 'control_cancel_request':
      return [{ type: 'request.cancelled', requestId: line.request_id }]
    case 'conversation_reset': // it still has the old id; the next turn has the new id
      return [{ type: 'conversation.cleared' }]
    case 'command_lifecycle': // an interrupt drops a prompt whose turn has not begun: no echo, no result
      return [{ type: 'prompt.withdrawn', promptId: line.command_uuid }]
    case 'control_response': // an answer to a request of ours: matched by its id, not kept
      return []
    case 'unknown':
      return isIgnored(line.json) ? [] : [{ type: 'line.unknown', line: line.json }]
    case 'unparsed':
      return [{ type: 'line.unparsed', text: line.text, bytes: line.bytes }]
  }
}

function streamEvents({
  event: { type, delta, usage },
  parent_tool_use_id,
}: Line<'stream_event'>): SessionEvent[] {
  if (delta?.type === 'text_delta' && delta.text) return [{ type: 'text.streamed', text: delta.text }]
  // Only here the CLI prints how much a message has cost before the turn is over.
  const outputTokens = type === 'message_delta' ? usage?.output_tokens : undefined
  if (!outputTokens || outputTokens < 0) return []
  return [{ type: 'message.ended', outputTokens, ...definedFields({ parent: parent_tool_use_id }) }]
}

function assistantEvents(block: Block, line: Line<'assistant'>): SessionEvent[] {
  const place = definedFields({ uuid: line.uuid, parent: line.parent_tool_use_id, ...contextOf(line) })
  const about = { ...definedFields({ messageId: line.message.id }), ...place }
  if ('text' in block) return [{ type: 'text', text: block.text, ...about }]
  if ('thinking' in block) return [{ type: 'thinking', text: block.thinking, ...about }]
  if (!('name' in block)) return []
  const { id: toolUseId, name: toolName, input } = block
  return [{ type: 'tool.used', toolUseId, toolName, input, ...about }]
}

/** A message without tokens was made by the CLI itself, not by a model. */
function contextOf({ message: { usage } }: Line<'assistant'>) {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage ?? {}
  const tokens = (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0)
  return tokens === 0 ? {} : { contextTokens: tokens }
}

/** All tokens of all models, as a sum of the process, and each model by itself; sub-agents are in it. */
function tokensOf({ modelUsage }: Line<'result'>) {
  const models = Object.fromEntries(
    Object.entries(modelUsage ?? {}).map(([model, usage]) => {
      const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = usage
      const counts = [inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens]
      const tokens = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
      return [model, { usd: usage.costUSD ?? 0, tokens }]
    }),
  )
  const used = Object.entries(models).filter(([, { usd, tokens }]) => usd > 0 || tokens > 0)
  const tokens = used.reduce((sum, [, one]) => sum + one.tokens, 0)
  return tokens === 0 ? {} : { tokens, models: Object.fromEntries(used) }
}

function windowsOf({ modelUsage }: Line<'result'>) {
  const windows = Object.entries(modelUsage ?? {}).flatMap(([model, { contextWindow }]) =>
    contextWindow ? [[model, contextWindow] as const] : [],
  )
  return windows.length === 0 ? {} : { contextWindows: Object.fromEntries(windows) }
}

function userEvents(line: Line<'user'>): SessionEvent[] {
  if (line.isReplay) return line.uuid ? [{ type: 'prompt.echoed', promptId: line.uuid }] : []
  if (typeof line.message.content === 'string') return []
  return line.message.content.flatMap((block): SessionEvent[] => {
    if (!('tool_use_id' in block)) return []
    const { tool_use_id: toolUseId, is_error, content } = block
    const about = definedFields({ parent: line.parent_tool_use_id })
    return [
      { type: 'tool.finished', toolUseId, isError: is_error ?? false, content: plainText(content), ...about },
    ]
  })
}

/** `subtype` may say success although the turn failed: only `is_error` counts. */
function resultEvents(line: Line<'result'>): SessionEvent[] {
  const aborted = line.terminal_reason?.startsWith('aborted_') ?? false
  const outcome = aborted ? 'interrupted' : line.is_error ? 'failed' : 'done'
  const message = line.errors?.join('\n') || line.result || line.subtype || 'Claude Code gave no reason.'
  const cost = line.total_cost_usd
  const { input_tokens: inputTokens, output_tokens: outputTokens } = line.usage ?? {}
  const ended: EventOf<'turn.ended'> = {
    type: 'turn.ended',
    outcome,
    ...definedFields({ result: line.result, turns: line.num_turns, durationMs: line.duration_ms }),
    ...definedFields({ structuredOutput: line.structured_output }),
    ...(outcome === 'failed' ? { error: { code: 'cli_failed', message } } : {}),
  }
  if (cost === null || cost === undefined) return [ended]
  return [
    {
      type: 'cost.reported',
      total: cost,
      inputTokens: inputTokens ?? 0,
      outputTokens: outputTokens ?? 0,
      ...tokensOf(line),
      ...windowsOf(line),
    },
    ended,
  ]
}

function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content)
  return content.map(blockText).join('\n')
}

function blockText(block: unknown): string {
  if (typeof block !== 'object' || block === null) return String(block)
  if ('text' in block && typeof block.text === 'string') return block.text
  return `[${'type' in block && typeof block.type === 'string' ? block.type : 'unknown'}]`
}
