import { parseLine } from '../child/lines/child-line.ts'
import { withoutEnd } from '../child/lines/prompt-end-marker.ts'
import { NO_OPINION } from '../child/policy/hook-opinion.ts'
import { eventsOf } from '../child/lines/line-to-events.ts'
import type { SplitLine } from '../text/line-splitter.ts'
import type { EventOf, SessionEvent } from '../events/session-event.ts'
import { definedFields } from '../base/defined-fields.ts'
import type { ReadLine, TranscriptLine } from './transcript-line.ts'
import { textOf, userLineOf } from './user-line.ts'

/**
 * Converts one line of a transcript to events, without its context; turn boundaries need the context and are added by
 * `TurnsOfTranscript`. The many unknown kinds are omitted. So are the lines of sub-agents: they do not say which call they
 * belong to, and newer versions of the CLI keep them in separate files; the answer of a sub-agent is in the result of its call.
 */
export function eventsOfTranscriptLine({ line, split }: ReadLine): SessionEvent[] {
  if (!line) return unparsed(split)
  if (line.isSidechain) return []
  switch (line.type) {
    case 'assistant':
      return messageEvents(split)
    case 'user':
      return [...promptEvents(line), ...messageEvents(split)]
    case 'attachment':
      return queuedPromptEvents(line)
    case 'system':
      return line.subtype === 'compact_boundary' ? [compacted(line)] : []
    default:
      return []
  }
}

/** Messages have the same shape as in the CLI's output. */
function messageEvents(split: SplitLine): SessionEvent[] {
  const line = parseLine(split)
  return line.type === 'assistant' || line.type === 'user' ? eventsOf(line, NO_CONTEXT) : []
}
const NO_CONTEXT = { sessionId: '', opinion: () => NO_OPINION }

function promptEvents(line: TranscriptLine): SessionEvent[] {
  const user = userLineOf(line)
  if (!line.uuid || (user.kind !== 'prompt' && user.kind !== 'command')) return []
  return [{ type: 'prompt.accepted', promptId: line.uuid, content: user.content }]
}

/** The CLI stores a prompt that came in the middle of a turn as an attachment of that turn. */
function queuedPromptEvents({ uuid, attachment }: TranscriptLine): SessionEvent[] {
  const promptId = attachment?.source_uuid ?? uuid
  const content = attachment?.prompt
  if (attachment?.type !== 'queued_command' || promptId === undefined || content === undefined) return []
  if (attachment.commandMode === 'task-notification' || textOf(content).startsWith('<')) return []
  return [{ type: 'prompt.accepted', promptId, content: withoutEnd(content) }]
}

function compacted({ compactMetadata }: TranscriptLine): EventOf<'context.compacted'> {
  const { trigger, preTokens: before, postTokens: after } = compactMetadata ?? {}
  return { type: 'context.compacted', trigger: trigger ?? '', ...definedFields({ before, after }) }
}

function unparsed({ text, bytes }: SplitLine): SessionEvent[] {
  return [{ type: 'line.unparsed', text: text.slice(0, 2_048), bytes }]
}
