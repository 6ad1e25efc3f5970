import { RecentMap } from '../../base/recent-map.ts'
import type { Ask } from '../../base/ask-setting.ts'

/**
 * The names of other clients at which a person sits whenever they take forms. A client belongs here only with a test that
 * shows its form to a person: most clients accept forms and then decline or ignore them when nobody is there.
 */
const CLIENTS_WITH_A_PERSON: readonly string[] = []

/** What is known of a connection before its client sends anything, and how it has treated forms since. */
export interface Seat {
  /** The setting of the person who configured the connection. */
  readonly ask?: Ask | undefined
  /** Claude Code in a terminal has opened it. */
  readonly isTerminal: boolean
  readonly forms: FormSwitch
}

/** True if a person is known to sit at this client. Every process in a terminal inherits its mark, so the name counts too. */
export function hasPerson({ isTerminal }: Seat, client: string): boolean {
  return (isTerminal && client === 'claude-code') || CLIENTS_WITH_A_PERSON.includes(client)
}

/** By the environment variable that Claude Code sets for a server: `sdk-cli` and others stand for programs. */
export function isTerminalEntry(entrypoint: string | undefined): boolean {
  return entrypoint === 'cli'
}

/** The same by the headers of its requests. */
export function isTerminalAgent(userAgent: string | null): boolean {
  return /^claude-code\/\S+ \(cli\)$/.test(userAgent ?? '')
}

/** Turned off for a connection that has declined a form on its own. */
export class FormSwitch {
  #off = false

  get isOff(): boolean {
    return this.#off
  }

  turnOff(): void {
    this.#off = true
  }
}

/** The switches of clients without a lasting connection, by a key that separates them. */
export class FormSwitches {
  readonly #all = new RecentMap<string, FormSwitch>(MAX_SWITCHES)

  /** `begins`: the client has connected anew. */
  of(client: string, begins: boolean): FormSwitch {
    const known = begins ? undefined : this.#all.get(client)
    const found = known ?? new FormSwitch()
    this.#all.set(client, found)
    return found
  }
}

const MAX_SWITCHES = 200
