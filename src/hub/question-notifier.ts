import { setTimeout } from 'node:timers/promises'
import { questionsOf } from '../approvals/question.ts'
import { runCommand } from '../system/run-command.ts'
import type { EventOf, SessionEvent } from '../events/session-event.ts'
import { redact } from '../base/log.ts'
import type { Session } from '../sessions/record/session.ts'

/** More than a person can follow: what comes on top while one hangs is not told by this way. */
const MAX_QUEUE = 100
const LIMIT_MS = 10_000
const RETRY_MS = 1_000

/** What a command that tells a person needs: to be found, and to find the person's desktop. */
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
 * Tells somebody elsewhere (desktop, chat, phone) of each new question, one after the other and each at most twice. It is
 * a courtesy: whatever becomes of it, the question stays where it is and the session does not notice.
 */
export class QuestionNotifier {
  readonly #parts: QuestionNotifierOptions
  #queued = 0
  #last: Promise<void> = Promise.resolve()

  constructor(parts: QuestionNotifierOptions) {
    this.#parts = parts
  }

  notify(session: Session, opened: EventOf<'approval.opened'>): void {
    if (this.#queued >= MAX_QUEUE) return this.#parts.onError('too many questions at once')
    this.#queued += 1
    const text = JSON.stringify(noticeOf(session, opened), withoutSecrets)
    this.#last = this.#last.then(() => this.#tell(text)).finally(() => this.#queued--)
  }

  async #tell(text: string): Promise<void> {
    if ((await this.#try(text)) === undefined) return
    await setTimeout(RETRY_MS, undefined, { ref: false })
    const reason = await this.#try(text)
    if (reason !== undefined) this.#parts.onError(reason)
  }

  /** What went wrong, if anything did. */
  async #try(text: string): Promise<string | undefined> {
    const { receiver } = this.#parts
    return /^https?:\/\//i.test(receiver) ? post(receiver, text) : this.#run(receiver, text)
  }

  async #run(command: string, input: string): Promise<string | undefined> {
    const { env } = this.#parts
    const passed = Object.fromEntries(
      PASSED_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    )
    const result = await runCommand('/bin/sh', ['-c', command], { env: passed, timeoutMs: LIMIT_MS, input })
    if (result.outcome !== 'exited') return result.outcome
    return result.code === 0 ? undefined : `exit code ${result.code}`
  }
}

async function post(url: string, body: string): Promise<string | undefined> {
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    return ok ? undefined : `status ${status}`
  } catch {
    return 'it could not be reached'
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

/** The questions that nobody has answered in advance. */
export function unansweredQuestions(events: readonly SessionEvent[]): EventOf<'approval.opened'>[] {
  const settled = events.map((event) => event.type === 'approval.settled' && event.approvalId)
  return events
    .filter((event) => event.type === 'approval.opened')
    .filter(({ approvalId }) => !settled.includes(approvalId))
}
