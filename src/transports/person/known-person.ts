import { RecentMap } from '../../base/recent-map.ts'
import type { Ask } from '../../base/ask-setting.ts'

/**
 * Other clients at which a person sits whenever they take forms, by the name that they give. One belongs here only with a
 * test that shows its form to a person: most clients take forms and decline them, or leave them, where nobody is there.
 */
const CLIENTS_WITH_A_PERSON: readonly string[] = []

/** What is known of a connection before its client has said anything, and what it has shown since. */
export interface Seat {
  /** As whoever configured the connection wants it. */
  readonly ask?: Ask | undefined
  /** It was begun by Claude Code in a terminal. */
  readonly isTerminal: boolean
  readonly forms: FormSwitch
}

/** Whether a person is known to sit at this client. The mark of a terminal is inherited by whatever runs in it, so the name counts too. */
export function hasPerson({ isTerminal }: Seat, client: string): boolean {
  return (isTerminal && client === 'claude-code') || CLIENTS_WITH_A_PERSON.includes(client)
}

/** By the environment that Claude Code starts a server with: `sdk-cli` and others stand for programs. */
export function isTerminalEntry(entrypoint: string | undefined): boolean {
  return entrypoint === 'cli'
}

/** The same by the headers of its requests. */
export function isTerminalAgent(userAgent: string | null): boolean {
  return /^claude-code\/\S+ \(cli\)$/.test(userAgent ?? '')
}

/** A connection that has declined a form by itself is given none any more. */
export class FormSwitch {
  #off = false

  get isOff(): boolean {
    return this.#off
  }

  turnOff(): void {
    this.#off = true
  }
}

/** The switches of clients whose messages each stand alone, by whatever sets one apart from another. */
export class FormSwitches {
  readonly #all = new RecentMap<string, FormSwitch>(MOST)

  /** `begins`: the client has connected anew. */
  of(client: string, begins: boolean): FormSwitch {
    const known = begins ? undefined : this.#all.get(client)
    const found = known ?? new FormSwitch()
    this.#all.set(client, found)
    return found
  }
}

const MOST = 200
