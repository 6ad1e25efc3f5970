import { setTimeout } from 'node:timers/promises'
import { PromiseQueue } from '../async/promise-queue.ts'
import { questionsOf } from '../approvals/question.ts'
import { sendToReceiver } from '../system/send-to-receiver.ts'
import type { EventOf, SessionEvent } from '../events/session-event.ts'
import { redact } from '../base/log.ts'
import type { Session } from '../sessions/record/session.ts'

/** More than a person can follow: beyond this no further notices are sent while a receiver hangs. */
const MAX_QUEUE = 100
const RETRY_MS = 1_000

/** The variables that a notification command needs to be found and to reach the person's desktop. */
const PASSED_VARIABLES = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'TMPDIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
]

export interface QuestionNotifierOptions {
  /** A command of the shell, or a URL. */
  readonly receiver: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onError: (reason: string) => void
}

/**
 * Sends a notice of each new question to a receiver (desktop, chat, phone), one after the other, with one retry. A failure
 * has no effect on the question or the session.
 */
export class QuestionNotifier {
  readonly #options: QuestionNotifierOptions
  #pending = 0
  readonly #queue = new PromiseQueue()

  constructor(options: QuestionNotifierOptions) {
    this.#options = options
  }

  notify(session: Session, opened: EventOf<'approval.opened'>): void {
    if (this.#pending >= MAX_QUEUE) return this.#options.onError('too many questions at once')
    this.#pending += 1
    const text = JSON.stringify(noticeOf(session, opened), withoutSecrets)
    void this.#queue.run(() => this.#send(text)).finally(() => this.#pending--)
  }

  async #send(text: string): Promise<void> {
    if ((await this.#try(text)) === undefined) return
    await setTimeout(RETRY_MS, undefined, { ref: false })
    const reason = await this.#try(text)
    if (reason !== undefined) this.#options.onError(reason)
  }

  #try(text: string): Promise<string | undefined> {
    const { receiver, env } = this.#options
    return sendToReceiver(receiver, text, { env, passes: PASSED_VARIABLES })
  }
}

function noticeOf({ id, name, workingDirectory }: Session, opened: EventOf<'approval.opened'>) {
  const { approvalId, kind, toolName, input } = opened
  return {
    sessionId: id,
    name,
    workingDirectory,
    approvalId,
    kind,
    toolName,
    input,
    questions: questionsOf(opened),
  }
}

function withoutSecrets(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? redact(value) : value
}

/** The questions among these events that were not answered in advance. */
export function unansweredQuestions(events: readonly SessionEvent[]): EventOf<'approval.opened'>[] {
  const settled = events.map((event) => event.type === 'approval.settled' && event.approvalId)
  return events
    .filter((event) => event.type === 'approval.opened')
    .filter(({ flood }) => !flood)
    .filter(({ approvalId }) => !settled.includes(approvalId))
}
