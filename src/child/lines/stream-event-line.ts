import type { ChildLine } from './child-line.ts'

type StreamEventLine = Extract<ChildLine, { type: 'stream_event' }>

/**
 * Nine lines in ten are pieces of a message, so these are parsed by hand, which takes a fraction of the time. The result
 * is always that of the schema; undefined if anything is unusual.
 */
export function streamEventOf(json: object): StreamEventLine | undefined {
  if (!('type' in json && json.type === 'stream_event' && 'event' in json && 'parent_tool_use_id' in json))
    return
  const { event, parent_tool_use_id } = json
  if (parent_tool_use_id !== null && typeof parent_tool_use_id !== 'string') return
  if (typeof event !== 'object' || event === null || !('type' in event) || typeof event.type !== 'string')
    return
  if ('usage' in event) return
  if (!('delta' in event)) return { type: 'stream_event', event: { type: event.type }, parent_tool_use_id }
  const { delta } = event
  if (typeof delta !== 'object' || delta === null || !('type' in delta) || typeof delta.type !== 'string')
    return
  const piece = 'text' in delta ? delta.text : undefined
  if (piece !== undefined && typeof piece !== 'string') return
  return {
    type: 'stream_event',
    event: { type: event.type, delta: { type: delta.type, text: piece } },
    parent_tool_use_id,
  }
}
