import type { Env } from '../assembly/config.ts'
import type { CallContext, Engine } from '../engine/engine.ts'
import type { ListedItem } from './last-list.ts'
import type { HubPresence } from './hub-presence.ts'
import type { Output } from './output.ts'

export interface Flag {
  readonly type: 'boolean' | 'string'
  readonly short?: string
  /** Stands for the value in help texts, such as DIR. */
  readonly value?: string
  readonly summary: string
  /** Its value may be missing; then it is an empty text. */
  readonly optional?: true
  /** It may be given several times. */
  readonly multiple?: true
}

export type Flags = Readonly<Record<string, Flag>>

/** A row of the table of commands: help, completion and tests are made from it. */
export interface Command {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly group: 'sessions' | 'questions' | 'page' | 'setup' | 'hub'
  readonly summary: string
  /** The arguments as help shows them; `[X]` may be missing, `X...` may be several. */
  readonly args?: string
  readonly flags: Flags
  /** What a person must know besides, as whole sentences. */
  readonly notes?: readonly string[]
  readonly example: string
  /** Not listed: only programs call it. */
  readonly hidden?: true
  /** Everything after its name is left to the command: its flags are not in this table. */
  readonly parsesItself?: true
  /** What its first argument names, for completion. */
  readonly completes?: 'session' | 'question' | 'client'
  readonly load: () => Promise<{ readonly run: RunCommand }>
}

/** Returns the exit code; 0 by default. */
type RunCommand = (call: CommandCall) => Promise<number | undefined | void>

export interface CommandCall {
  readonly args: readonly string[]
  readonly flags: FlagValues
  readonly env: Env
  readonly out: Output
  /** Keeps what is listed for `@1` of the next commands at this terminal. */
  readonly keepList: (items: readonly ListedItem[]) => Promise<void>
  /** The hub of the home folder. For a command that only reads, none is started. */
  readonly hub: (use: 'reads' | 'changes') => Promise<ClientHub>
}

export interface ClientHub {
  readonly engine: Engine
  readonly context: CallContext
  /** Absent where the hub is in this process. */
  readonly presence?: HubPresence | undefined
  /** Calls a method of `/rpc` by its name. */
  readonly call: (method: string, params: object) => Promise<unknown>
}

export type GivenFlags = Readonly<Record<string, string | boolean | readonly string[]>>

/** The values of the flags of one command, by their names. */
export class FlagValues {
  readonly #values: GivenFlags

  constructor(values: GivenFlags) {
    this.#values = values
  }

  get all(): GivenFlags {
    return this.#values
  }

  isSet(name: string): boolean {
    return this.#values[name] === true
  }

  text(name: string): string | undefined {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }

  /** Of a flag that may be given several times. */
  texts(name: string): readonly string[] {
    const value = this.#values[name]
    return typeof value === 'object' ? value : []
  }
}
