import { parseLine } from '../../child/lines/child-line.ts'
import { eventsOf } from '../../child/lines/line-to-events.ts'
import type { LineContext } from '../../child/lines/request-to-events.ts'
import type { Child } from '../../child/process/child-process.ts'
import type { ControlRequests } from '../../child/process/control-requests.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { EventBuffer } from '../writing/event-buffer.ts'

/** Events, and the offset in the output after the line of the last event: to be stored in one step. */
export interface OutputStep {
  readonly events: readonly SessionEvent[]
  readonly offset: number
}

interface Reader {
  readonly child: Pick<Child, 'read'>
  readonly buffer: EventBuffer
  readonly context: LineContext
  readonly control: ControlRequests
  /** Answers these events now, if they need not be stored first; whether it did. */
  readonly answerEarly: (events: readonly SessionEvent[]) => Promise<boolean>
}

/** The output of a child after `offset`, as steps; ends when the process is gone and all is read, or when the child is closed. */
export async function* outputSteps(
  { child, buffer, context, control, answerEarly }: Reader,
  offset: number,
): AsyncGenerator<OutputStep, void> {
  const batches = child.read(offset)
  let next = batches.next()
  try {
    for (;;) {
      const read = await buffer.orLate(next)
      const isBatch = read !== 'late' && !read.done
      if (isBatch) {
        for (const text of read.value.lines) {
          const line = parseLine(text)
          control.take(line)
          const events = eventsOf(line, context)
          const isRequest = line.type === 'control_request'
          buffer.add(events, text.end, { canWait: isRequest && (await answerEarly(events)) })
        }
        buffer.reach(read.value.offset)
      }
      const step = isBatch ? buffer.takeFlushable() : buffer.take()
      if (step) yield step
      if (isBatch) next = batches.next()
      else if (read !== 'late') return
    }
  } finally {
    next.catch(() => {}) // no longer read; its file is closed after it
    void batches.return()
  }
}
