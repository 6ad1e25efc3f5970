/** What the record says of the session that a row is about. */
export interface RecordedSession {
  readonly id: string
  readonly name?: string | undefined
  readonly owner: string
  /** The sessions above it, the nearest first. */
  readonly ancestors: readonly string[]
  readonly cwd: string
  readonly mode: string | undefined
  readonly model: string | undefined
  readonly cliVersion: string | undefined
}

interface Details {
  readonly permissionMode?: string | undefined
  readonly model?: string | undefined
}

interface SessionNow {
  readonly session: Pick<RecordedSession, 'id' | 'name' | 'owner'> &
    Details & { readonly workingDirectory: string; readonly config: Details }
  /** What the child has reported of itself. */
  readonly state?: (Details & { readonly cliVersion?: string | undefined }) | undefined
  readonly ancestors?: readonly string[] | undefined
}

export function recordedSession({ session, state, ancestors = [] }: SessionNow): RecordedSession {
  const { id, name, owner, workingDirectory, config } = session
  return {
    id,
    name,
    owner,
    ancestors,
    cwd: workingDirectory,
    mode: state?.permissionMode ?? session.permissionMode ?? config.permissionMode,
    model: state?.model ?? session.model ?? config.model,
    cliVersion: state?.cliVersion,
  }
}
