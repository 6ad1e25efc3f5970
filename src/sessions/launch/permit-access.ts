import { readFile, rm } from 'node:fs/promises'
import type { SessionId } from '../../base/ids.ts'
import { issueSessionToken, revokeSessionToken } from '../../callers/session-token.ts'
import type { CallerStore } from '../../callers/caller.ts'
import type { ControlRequest } from '../../child/lines/stdin-messages.ts'
import { childUrl, permitUrlIn } from '../../child/launch/mcp-servers.ts'
import { connectPermit } from '../../child/process/permit-connection.ts'
import { AppError } from '../../base/errors.ts'
import type { ControlRequests } from '../../child/process/control-requests.ts'
import type { Run, Session } from '../record/session.ts'
import type { HubEnvironment } from './hub-environment.ts'
import { mcpConfigPath, type Permit } from './launch-spec.ts'

/** How the child of a session calls us, to ask or to start sessions below it: its token, the file with it, and the connection. */
export class PermitAccess {
  readonly #sessionId: SessionId
  readonly #callers: CallerStore
  readonly #url: () => string | undefined
  readonly #isAnswering: () => boolean
  readonly #scopes: readonly string[]
  readonly #asks: boolean
  readonly #onError: (error: unknown) => void
  /** Whether the child asks by calls, or may start sessions below it. */
  readonly used: boolean

  constructor(
    { id, config }: Session,
    environment: Pick<HubEnvironment, 'permitUrl' | 'isAnswering' | 'onError'>,
    callers: CallerStore,
  ) {
    this.#sessionId = id
    this.#callers = callers
    this.#url = environment.permitUrl ?? (() => undefined)
    this.#isAnswering = environment.isAnswering ?? (() => true)
    this.#scopes = config.nested ? ['nested'] : []
    this.#asks = config.carrier === 'mcp'
    this.#onError = environment.onError
    this.used = this.#asks || config.nested === true
  }

  /** Issues the token for the next run. */
  async open(): Promise<Permit | undefined> {
    if (!this.used) return undefined
    const url = this.#url()
    if (url === undefined)
      throw new AppError(
        'invalid_input',
        'The hub has no port, so carrier "mcp" and nested cannot be used; use carrier "control" without nested.',
      )
    return {
      url: childUrl(url),
      token: await issueSessionToken(this.#callers, this.#sessionId, this.#scopes),
    }
  }

  /** For a process that is not ours. */
  async openOutside(): Promise<Permit> {
    const permit = this.#asks ? await this.open() : undefined
    if (permit) return permit
    throw new AppError(
      'invalid_input',
      'Only a session with carrier "mcp" can take questions from outside; create a session with that carrier.',
    )
  }

  /**
   * Whether a run of an earlier hub knows us by an address that is not ours: the program that listens there now would be asked in
   * our place, and given the token. The token is worth nothing from then on, before anything else is done with the run.
   */
  async cutOff(run: Run): Promise<boolean> {
    if (!this.used) return false
    const url = this.#url()
    const known = permitUrlIn(await readFile(mcpConfigPath(run), 'utf8').catch(() => ''))
    if (url !== undefined && known === childUrl(url)) return false
    await this.end(run)
    return true
  }

  /** Returns when the child can reach us; throws when it must end because it never will. */
  async connect(
    control: ControlRequests,
    { isAdopted, signal }: { isAdopted: boolean; signal: AbortSignal },
  ): Promise<void> {
    const send = (request: ControlRequest) =>
      control.send(request, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]))
    try {
      await connectPermit({ send, isUp: this.#isAnswering, reconnect: isAdopted, signal })
    } catch (error) {
      // A child that asks by control is supervised all the same: after a restart it continues, without sessions below it.
      const canContinue = isAdopted && !this.#asks && !isForbidden(error) && !signal.aborted
      if (!canContinue) throw error
      this.#onError(error)
    }
  }

  /** The token of such a process is worth nothing after it. */
  async endOutside(): Promise<void> {
    if (this.#asks) await revokeSessionToken(this.#callers, this.#sessionId)
  }

  /** The token of a run is worth nothing after the run. */
  async end(run: Run): Promise<void> {
    if (!this.used) return
    await revokeSessionToken(this.#callers, this.#sessionId)
    await rm(mcpConfigPath(run), { force: true })
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof AppError && error.code === 'forbidden'
}

const ANSWER_MS = 10_000
