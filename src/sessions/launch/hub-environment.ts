import type { FoundCli } from '../../child/launch/find-cli.ts'
import type { OwnTool } from '../../child/launch/mcp-servers.ts'
import type { RulesFile, RulesNow } from '../../rules/rules-file.ts'
import type { ChildSpec } from '../../child/process/start-child.ts'

/** What starting a child needs, the same for all sessions of a hub. */
export interface HubEnvironment {
  /** The real path of the home folder. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly leaseSeconds: number
  /** Folders that a person has trusted by our own command, as they are now. */
  readonly trusted: () => readonly string[]
  readonly findCli: () => Promise<FoundCli>
  /** The file of a conversation; undefined if the CLI does not have it. */
  readonly transcriptOf: (cliSessionId: string) => Promise<string | undefined>
  /** The tools of our own server that a nested child has, besides the tool to ask. */
  readonly nestedTools?: readonly OwnTool[] | undefined
  /** The rules of the home folder as they are now; if omitted, there are none. */
  readonly rules?: (() => RulesNow) | undefined
  /** The file that they are read from; if omitted, it cannot be changed here. */
  readonly rulesFile?: RulesFile | undefined
  /** The rules of the repository of a trusted folder as they are now; undefined if it has none. */
  readonly repositoryRules?: ((folder: string) => RulesNow | undefined) | undefined
  /** For how long a call that was denied without a reason is denied again without asking; 0 is never, a minute by default. */
  readonly repeatDeniedMs?: number | undefined
  /** The URL where a child with the mcp carrier asks, and a nested child starts sessions; undefined without a port. */
  readonly permitUrl?: (() => string | undefined) | undefined
  /** Whether the hub answers at that address yet; if omitted, it always does. */
  readonly isAnswering?: (() => boolean) | undefined
  /** The pid of a process that is not ours and has this conversation open. */
  readonly openElsewhere: (cliSessionId: string) => Promise<number | undefined>
  /** Called for each process before it is started. */
  readonly onStart?: ((spec: Pick<ChildSpec, 'sessionId' | 'runPath' | 'cli' | 'args'>) => void) | undefined
  /** Called for each error that no caller waits for. */
  readonly onError: (error: unknown) => void
}
