import { AppError } from '../errors.ts'

/** Marks every process of a session, so that stopping it finds those that left its process group. */
export const SESSION_MARK = 'LOOPBACK_SESSION_ID'

/** What a CLI leaves for the processes it starts, and what would change how ours starts. */
const DROPPED: ReadonlySet<string> = new Set([
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_EXECPATH',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SKIP_PROMPT_HISTORY',
  'CLAUDE_PROJECT_DIR',
  'AI_AGENT',
  'CLAUDE_EFFORT',
  'NODE_OPTIONS',
])

/** The environment of a run: ours without what is not the child's business, its mark, then the caller's. */
export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  extra: { sessionId: string; env?: Readonly<Record<string, string>> | undefined },
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(base))
    if (value !== undefined && !isDropped(name)) environment[name] = value
  environment[SESSION_MARK] = extra.sessionId
  for (const [name, value] of Object.entries(extra.env ?? {})) {
    if (isDropped(name) || name === SESSION_MARK)
      throw new AppError('invalid_input', `env may not set ${name}; leave it out.`)
    if (!/^[A-Za-z_]\w*$/.test(name) || value.includes('\0'))
      throw new AppError(
        'invalid_input',
        `env: ${JSON.stringify(name)} is not a name and a value that a process can have; correct or remove it.`,
      )
    environment[name] = value
  }
  return environment
}

function isDropped(name: string): boolean {
  return DROPPED.has(name) || name.startsWith('PLEXUS_')
}
