import { basename } from 'node:path'
import { loggableArgs } from '../child/launch/loggable-args.ts'
import type { ChildSpec } from '../child/process/start-child.ts'
import type { SessionEvent } from '../events/session-event.ts'
import type { Log } from '../base/log.ts'
import type { Session } from '../sessions/record/session.ts'
import { QuestionTimes } from './question-timing-log.ts'

type Start = Pick<ChildSpec, 'sessionId' | 'runPath' | 'cli' | 'args'>

/**
 * A hub's log of its sessions: who created them, what was asked, who decided how. It contains no prompts, outputs, inputs or
 * answers of a child, only the ids by which the database has them.
 */
export class SessionLog {
  readonly #log: Log
  readonly #times: QuestionTimes

  constructor(log: Log) {
    this.#log = log
    this.#times = new QuestionTimes((message, fields) => log.debug(message, fields))
  }

  created({ id: session, name, owner, parentId: parent, workingDirectory, origin }: Session): void {
    const fields = { session, name, owner, parent, workingDirectory, origin: origin.kind }
    this.#info('A session was created.', fields)
  }

  stored({ id: session }: Session, events: readonly SessionEvent[]): void {
    for (const event of events) this.#event(session, event)
  }

  /** Logs arguments without prompts, tokens and environment variables. */
  processStarts({ sessionId: session, runPath, cli, args }: Start): void {
    this.#log.debug('A process of Claude Code starts.', {
      session,
      run: basename(runPath),
      cli,
      args: loggableArgs(args),
    })
  }

  #event(session: string, event: SessionEvent): void {
    this.#times.note(session, event)
    switch (event.type) {
      case 'turn.started':
        return this.#log.debug('A turn begins.', { session, model: event.model, mode: event.permissionMode })
      case 'turn.ended': {
        const { outcome, durationMs: ms, turns: steps, error } = event
        return this.#log.debug('A turn has ended.', { session, outcome, ms, steps, code: error?.code })
      }
      case 'approval.opened': {
        const { approvalId: approval, kind, toolName } = event
        return this.#info('A question was opened.', {
          approval,
          session,
          kind,
          tool: toolName.slice(0, MAX_NAME),
        })
      }
      case 'approval.escalated': {
        const { approvalId: approval, by, to } = event
        return this.#info('A question was handed up.', { approval, session, by, to })
      }
      case 'approval.extended': {
        const { approvalId: approval, by, until } = event
        return this.#info('A question got more time.', {
          approval,
          session,
          by,
          until: new Date(until).toISOString(),
        })
      }
      case 'approval.settled': {
        const { approvalId: approval, status, end, by, level, via } = event
        return this.#info('A question was settled.', { approval, session, status, end, by, from: level, via })
      }
      case 'run.outdated': {
        const { runId: run, protection, needed } = event
        return this.#info(
          "A session's process has less protection than one of today; it ends when it is idle.",
          {
            session,
            run,
            protection,
            needed,
          },
        )
      }
      case 'run.ended': {
        const { runId: run, stopped, error } = event
        return this.#info(error ? "A session's process failed." : "A session's process ended.", {
          session,
          run,
          stopped,
          code: error?.code,
        })
      }
      default:
    }
  }

  /** Deferred, so that an answer does not wait for the log. */
  #info(message: string, fields: Readonly<Record<string, unknown>>): void {
    setImmediate(() => this.#log.info(message, fields))
  }
}

/** Names of tools come from a model, so their length is limited. */
const MAX_NAME = 100
