import type { EventOf, SessionEvent } from '../events/session-event.ts'
import { definedFields } from '../base/defined-fields.ts'
import { eventsOfTranscriptLine } from './transcript-events.ts'
import type { ReadLine, TranscriptLine } from './transcript-line.ts'
import { textOf, userLineOf } from './user-line.ts'

type Ended = EventOf<'turn.ended'>

/**
 * Adds the boundaries of turns, which a transcript does not write down. A turn begins with a prompt, a command
 * or a wake-up. It ends where the user interrupted it, where a local command printed its outcome, and where the
 * model had its last word: what that was is clear only at the next beginning, at the end of the file or where a
 * terminal noted how long it took, because one message is written as several lines. A prompt before the last word belongs to the turn it came into; so
 * does one after a process that died in the middle of a turn, of which the transcript tells nothing.
 */
export class TurnsOfTranscript {
  #open = false
  #lastWord: Ended | undefined

  push(read: ReadLine): SessionEvent[] {
    const { line } = read
    const events = eventsOfTranscriptLine(read)
    if (!line || line.isSidechain) return events
    if (line.type === 'assistant') this.#listen(line, events)
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

  /** Nothing when the last turn is still going on, as far as the transcript tells. */
  end(durationMs?: number): SessionEvent[] {
    return this.#lastWord ? this.#end({ ...this.#lastWord, ...definedFields({ durationMs }) }) : []
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
    this.#lastWord = undefined
    return wasOpen ? [ended] : []
  }

  #listen(line: TranscriptLine, events: SessionEvent[]): void {
    const said = textOf(line.message?.content ?? [])
    const continues =
      line.message?.stop_reason === 'tool_use' || events.some(({ type }) => type === 'tool.used') || !said
    if (line.isApiErrorMessage)
      this.#lastWord = {
        type: 'turn.ended',
        outcome: 'failed',
        error: { code: 'cli_failed', message: said },
      }
    else this.#lastWord = continues ? undefined : { type: 'turn.ended', outcome: 'done', result: said }
  }
}
