/** What a row of the table is: a client, how a user sets it up, and how the suite runs it. */
import type { HubPlace } from '../rig/hubs/hub.ts'
import type { Next } from './parent.ts'
import type { Parent } from './stage.ts'

export const TRANSPORTS = ['stdio', 'HTTP'] as const
export type Transport = (typeof TRANSPORTS)[number]

/** The whole flow, and two with a hub that goes in the middle of a wait. */
export const RUNS = ['flow', 'SIGTERM', 'SIGKILL'] as const
export type Run = (typeof RUNS)[number]

export const STEPS = ['start', 'question', 'allow', 'deny', 'done'] as const
export type Step = (typeof STEPS)[number] | 'SIGTERM' | 'SIGKILL'

export interface Client {
  /** What `npm run test:clients -- NAME` calls it. */
  readonly name: string
  readonly title: string
  readonly version: string
  /** What its user does so that everything in its row works, in Markdown. */
  readonly setup: string
  /** Its person answers in forms, and its model is not needed for that. */
  readonly hasForms?: boolean
  /** Why one transport is not for it. */
  readonly notFor?: Partial<Record<Transport, string>>
  /** Failures that are its own: the reason, by transport and step. */
  readonly theirs?: Partial<Record<`${Transport} ${Step}`, string>>
  /** Absent where its model cannot run a command by a tool of the client's own. */
  readonly shell?: Shell
  /** Resolves with what its user saw when it is through. */
  readonly run: (stage: Stage) => Promise<string>
}

export interface Shell {
  readonly run: (command: string) => Next
  /** Nothing in the environment of its commands says that an agent runs them: they count as a person's. */
  readonly isUnmarked?: boolean
}

export type Server =
  | {
      readonly transport: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Record<string, string>
    }
  | { readonly transport: 'HTTP'; readonly url: string; readonly headers: Record<string, string> }

/** All that a client needs for one run. */
export interface Stage {
  readonly place: HubPlace
  readonly server: Server
  readonly parent: Parent
  /** Its model runs commands by the client's own tool, and its user has allowed that. */
  readonly runsCommands: boolean
  /** The home of the client, a folder of its own, and where it works. */
  readonly home: string
  readonly cwd: string
  /** Nothing is inherited, and nothing leads off this machine. */
  readonly env: Record<string, string>
  /** What the client prints, for the log. */
  readonly note: (text: string) => void
  /** Runs a program to its end, with this on its stdin, and gives what it printed on stdout. */
  readonly program: (command: string, args: readonly string[], how?: HowToRun) => Promise<string>
}

export interface HowToRun {
  readonly env?: Record<string, string>
  readonly input?: string
  /** Called with each line of its stdout as it comes. */
  readonly onLine?: (line: string) => void
}
