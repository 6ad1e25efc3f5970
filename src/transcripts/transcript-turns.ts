import type { EventOf, SessionEvent } from '../events/session-event.ts'
import { definedFields } from '../base/defined-fields.ts'
import { eventsOfTranscriptLine } from './transcript-events.ts'
import type { ReadLine, TranscriptLine } from './transcript-line.ts'
import { textOf, userLineOf } from './user-line.ts'

type Ended = EventOf<'turn.ended'>

/**
 * Adds the turn boundaries, which a transcript does not contain. A turn starts with a prompt, a command or a wake-up. It ends
 * with an interruption by the user, the output of a local command, or the last message of the model. Which message is the
 * last is clear only at the next start, at the end of the file, or at a line with the duration of the turn, because one
 * message is written as several lines. A prompt before the last message belongs to the current turn; so does a prompt after a
 * process that died in the middle of a turn, because the transcript does not show the death.
 */
export class TurnsOfTranscript {
  #open = false
  #lastMessage: Ended | undefined

  push(read: ReadLine): SessionEvent[] {
    const { line } = read
    const events = eventsOfTranscriptLine(read)
    if (!line || line.isSidechain) return events
    if (line.type === 'assistant') this.#noteMessage(line, events)
    if (line.type === 'system' && line.subtype === 'turn_duration') return this.end(line.durationMs)
    if (line.type !== 'user') return events
    const user = userLineOf(line)
    switch (user.kind) {
      case 'prompt':
      case 'command':
      case 'wake-up':
        return [...this.#begin(line), ...events]
      case 'interruption':
        return [...events, ...this.#end({ type: 'turn.ended', outcome: 'interrupted' })]
      case 'printed':
        return [...events, ...this.#end({ type: 'turn.ended', outcome: 'done', result: user.text })]
      case 'other':
        return events
    }
  }

  /** Empty if the transcript does not show that the last turn has ended. */
  end(durationMs?: number): SessionEvent[] {
    return this.#lastMessage ? this.#end({ ...this.#lastMessage, ...definedFields({ durationMs }) }) : []
  }

  #begin(line: TranscriptLine): SessionEvent[] {
    const before = this.end()
    if (this.#open || !line.sessionId) return before
    this.#open = true
    const { version: cliVersion, permissionMode, cwd: workingDirectory } = line
    const details = definedFields({ cliVersion, permissionMode, workingDirectory })
    return [...before, { type: 'turn.started', cliSessionId: line.sessionId, ...details }]
  }

  #end(ended: Ended): SessionEvent[] {
    const wasOpen = this.#open
    this.#open = false
    this.#lastMessage = undefined
    return wasOpen ? [ended] : []
  }

  #noteMessage(line: TranscriptLine, events: SessionEvent[]): void {
    const said = textOf(line.message?.content ?? [])
    const continues =
      line.message?.stop_reason === 'tool_use' || events.some(({ type }) => type === 'tool.used') || !said
    if (line.isApiErrorMessage)
      this.#lastMessage = {
        type: 'turn.ended',
        outcome: 'failed',
        error: { code: 'cli_failed', message: said },
      }
    else this.#lastMessage = continues ? undefined : { type: 'turn.ended', outcome: 'done', result: said }
  }
}
