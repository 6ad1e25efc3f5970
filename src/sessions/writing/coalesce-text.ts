import type { SessionEvent } from '../../events/session-event.ts'

/** Joins neighbouring pieces of streamed text, up to a size: a model streams some hundred pieces a second. */
export function coalesced(events: readonly SessionEvent[], maxLength = MAX_LENGTH): SessionEvent[] {
  const result: SessionEvent[] = []
  let parts: string[] = []
  let length = 0
  const flush = () => {
    if (parts.length > 0) result.push({ type: 'text.streamed', text: parts.join('') })
    parts = []
    length = 0
  }
  for (const event of events) {
    if (event.type !== 'text.streamed') {
      flush()
      result.push(event)
    } else {
      parts.push(event.text)
      length += event.text.length
      if (length >= maxLength) flush()
    }
  }
  flush()
  return result
}

export const MAX_LENGTH = 2_048
