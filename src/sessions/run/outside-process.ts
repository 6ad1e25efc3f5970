import { mkdir, rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { AppError } from '../../base/errors.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import { identityOf, isAlive } from '../../system/process-identity.ts'
import { replacePrivateFile } from '../../system/files/private-file.ts'
import type { Relay } from '../../child/launch/mcp-servers.ts'
import type { Permit } from '../launch/launch-spec.ts'
import { requireHooksOfSettings } from '../launch/managed-settings.ts'
import {
  type JudgedCommand,
  judgedCommand,
  type PermitConfig,
  outsideConfig,
  outsideFile,
  outsideFolder,
} from '../launch/outside-command.ts'
import { trustsFoldersOf } from '../launch/session-folders.ts'
import { type TerminalCommand, terminalCommand } from '../launch/terminal-command.ts'
import type { Outside } from '../record/session.ts'
import { withdrawals } from './run-end-events.ts'
import type { ProcessDeps } from './process-deps.ts'

export interface HandOver {
  readonly to: Outside['to']
  /** The process that has the conversation from now on, or that starts the one that has. */
  readonly pid: number
  /** Also if the session is at work: its turn is ended. */
  readonly stop?: true | undefined
}

export type Returned = Pick<EventOf<'session.returned'>, 'exitCode' | 'signal' | 'cliSessionId'>

/** Our own process of the session. */
interface OwnProcess {
  readonly isAtRest: boolean
  readonly exists: boolean
  readonly stop: () => Promise<void>
}

/** Runs work after all that was queued for the session before, so that no process of ours begins meanwhile. */
type Enqueue = <T>(work: (own: OwnProcess) => Promise<T>) => Promise<T>

type Deps = Pick<ProcessDeps, 'writer' | 'environment' | 'permit' | 'closing'>

/** The process outside Plexus that has the conversation of a session, if there is one. */
export class OutsideProcess {
  readonly #deps: Deps
  readonly #enqueue: Enqueue

  constructor(deps: Deps, enqueue: Enqueue) {
    this.#deps = deps
    this.#enqueue = enqueue
  }

  /** Throws while it is alive. If it has gone and nobody reported it, its end is stored first. */
  async requireNone(): Promise<void> {
    const outside = this.#outside
    if (!outside) return
    if (await isRunning(outside)) throw new AppError('in_use', sentenceOf(outside))
    await this.#store(outside.pid, { gone: true })
  }

  /** What a process needs that asks as this session. */
  async config(relay: Relay): Promise<PermitConfig> {
    const permit = await this.#permit()
    return outsideConfig({ session: this.#deps.writer.session, permit, relay }, this.#deps.environment)
  }

  /** The same with a hook, and its token in a private file of ours. */
  async command(relay: Relay, to: Outside['to']): Promise<JudgedCommand> {
    const { writer, environment } = this.#deps
    const { session, state } = writer
    requireHooksOfSettings()
    const cli = await environment.findCli()
    const trusted = trustsFoldersOf(session, state, environment)
    const permit = await this.#permit()
    const { file, ...command } = judgedCommand({ session, permit, relay, cli, trusted, to }, environment)
    await mkdir(outsideFolder(environment.home, session.id), { recursive: true, mode: 0o700 })
    await replacePrivateFile(outsideFile(environment.home, session.id), file)
    return command
  }

  #permit(): Promise<Permit> {
    return this.#enqueue(async ({ exists }) => {
      await this.requireNone()
      if (exists) throw new AppError('in_use', HAS_PROCESS)
      return this.#deps.permit.openOutside()
    })
  }

  /** The process has the conversation from now on; our own is ended first. */
  begin(how: HandOver): Promise<TerminalCommand | undefined> {
    return this.#enqueue((own) => this.#begin(how, own))
  }

  async #begin({ to, pid, stop }: HandOver, own: OwnProcess): Promise<TerminalCommand | undefined> {
    await this.requireNone()
    const { writer, environment } = this.#deps
    if (to === 'command' && own.exists) throw new AppError('in_use', HAS_PROCESS)
    if (to === 'terminal' && !own.isAtRest && !stop) throw new AppError('in_use', AT_WORK)
    const { startedAt = '' } = (await identityOf(pid)) ?? {}
    await own.stop()
    const { session, state } = writer
    const command = to === 'terminal' ? await terminalCommand(session, state, environment) : undefined
    await writer.decide((now): SessionEvent[] => [
      ...withdrawals(now),
      { type: 'session.handed_over', to, pid, startedAt },
    ])
    this.watch()
    return command
  }

  /** A person's CLI in a terminal has the conversation, and the hub found it; returns whether it is the only process that has it. */
  found(pid: number, startedAt: string, more: { readonly own?: true } = {}): Promise<boolean> {
    return this.#enqueue(async ({ exists }) => {
      const { writer } = this.#deps
      if (exists || writer.state.open.prompts.size > 0) return false
      await writer.decide(({ outside }) =>
        outside
          ? []
          : [{ type: 'session.handed_over', to: 'terminal', pid, startedAt, found: true, ...more }],
      )
      return this.#outside?.to === 'terminal'
    })
  }

  /** Stores what the CLI in the terminal says of itself, if it is new. */
  async changed(now: Omit<EventOf<'terminal.changed'>, 'type'>): Promise<void> {
    await this.#deps.writer.decide(({ outside }) => {
      const isKnown = outside?.status === now.status && outside.waitingFor === now.waitingFor
      return outside?.to !== 'terminal' || isKnown ? [] : [{ type: 'terminal.changed', ...now }]
    })
  }

  /** Nothing is stored if another process has the conversation, or none any more. */
  async end(pid: number, ended: Returned): Promise<void> {
    await this.#store(pid, definedFields({ ...ended }))
  }

  /** It has ended, and nobody was there to report more. */
  async noteGone(pid: number): Promise<void> {
    await this.#store(pid, { gone: true })
  }

  /** Stores its end if it ends and nobody reports it, because the program that started it was killed. */
  watch(): void {
    this.#watchUntilEnd().catch((error: unknown) => {
      if (!this.#deps.closing.aborted) this.#deps.environment.onError(error)
    })
  }

  async #watchUntilEnd(): Promise<void> {
    const { closing } = this.#deps
    let wasGone = false
    for (let outside = this.#outside; outside; outside = this.#outside) {
      await setTimeout(CHECK_MS, undefined, { signal: closing, ref: false })
      const isGone = !(await isRunning(outside))
      // Whoever started it reports its end in this moment, with more than we can see.
      if (isGone && wasGone) await this.#store(outside.pid, { gone: true })
      wasGone = isGone
    }
  }

  async #store(pid: number, ended: Omit<EventOf<'session.returned'>, 'type'>): Promise<void> {
    const { writer } = this.#deps
    if (this.#outside?.pid !== pid) return
    await writer.decide(({ outside }) =>
      outside?.pid === pid ? [{ type: 'session.returned', ...ended }] : [],
    )
    await this.cleanUp()
  }

  /** Its token is worth nothing from now on. */
  async cleanUp(): Promise<void> {
    const { writer, environment, permit } = this.#deps
    await permit.endOutside()
    await rm(outsideFolder(environment.home, writer.session.id), { recursive: true, force: true })
  }

  get #outside(): Outside | undefined {
    return this.#deps.writer.state.outside
  }
}

/** A process that had ended before its start could be read has none. */
async function isRunning({ pid, startedAt }: Outside): Promise<boolean> {
  return startedAt !== '' && isAlive({ pid, startedAt })
}

function sentenceOf({ to, pid, found }: Outside): string {
  if (found) return `The conversation is open in a terminal (claude, pid ${pid}); end it there first.`
  return SENTENCES[to](pid)
}

const SENTENCES: Record<Outside['to'], (pid: number) => string> = {
  terminal: (pid) =>
    `The conversation is open in a terminal (plexus attach --claude, pid ${pid}); end it there first.`,
  command: (pid) =>
    `A claude of plexus run has this session (pid ${pid}); wait for its end, or end that process.`,
}
const HAS_PROCESS =
  'This session has a process of its own; create another session for a process from outside.'
const AT_WORK = 'The session is at work; wait until it is idle, or hand it over with stop.'
const CHECK_MS = 1_000
