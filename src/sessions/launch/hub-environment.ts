import type { FoundCli } from '../../child/launch/find-cli.ts'
import type { OwnTool } from '../../child/launch/mcp-servers.ts'
import type { ChildSpec } from '../../child/process/start-child.ts'

/** What a child is started in: the same for all sessions of a hub. */
export interface HubEnvironment {
  /** The real path of the home folder. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly leaseSeconds: number
  /** Folders that a person has trusted by our own command. */
  readonly trusted: readonly string[]
  readonly findCli: () => Promise<FoundCli>
  /** The file of a conversation that the CLI has, if it has one. */
  readonly transcriptOf: (cliSessionId: string) => Promise<string | undefined>
  /** The tools of our own server that a nested child has, besides the one to ask. */
  readonly nestedTools?: readonly OwnTool[] | undefined
  /** Where a child with the mcp carrier asks, and a nested one starts sessions; undefined where there is no port. */
  readonly permitUrl?: (() => string | undefined) | undefined
  /** Whether the hub answers at that address yet; always, if this is omitted. */
  readonly isAnswering?: (() => boolean) | undefined
  /** The pid of a process that is not ours and has this conversation open. */
  readonly openElsewhere: (cliSessionId: string) => Promise<number | undefined>
  /** Called for each process before it is started. */
  readonly onStart?: ((spec: Pick<ChildSpec, 'sessionId' | 'runPath' | 'cli' | 'args'>) => void) | undefined
  /** Called for each error that no caller waits for. */
  readonly onError: (error: unknown) => void
}
