import { AppError } from '../../base/errors.ts'
import { isAtLeast } from '../../text/version-order.ts'
import { SESSION_MARK } from '../../system/session-mark.ts'
import { withGuardedGit } from './git-environment.ts'

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

/** The oldest version that was seen to run nothing from a repository's git configuration when it looks at it by itself. */
const READS_GIT_SAFELY = '2.1.325'

interface Circumstances {
  /** Whether a person trusts all folders of the session. */
  readonly trusted: boolean
  /** Of the CLI that runs the child. */
  readonly cliVersion: string
}

/**
 * Variables of the CLI that are ours to set. They stand in the environment and in our settings: settings of a user or of a
 * repository hold variables too, and the CLI puts those above its environment, but ours above those.
 */
export const ALWAYS_SET: Readonly<Record<string, string>> = {
  // A repository's .claude/scheduled_tasks.json is said to the model as if a user had said it.
  CLAUDE_CODE_DISABLE_CRON: '1',
  // The simple mode has no hooks, ours included.
  CLAUDE_CODE_SIMPLE: '0',
}

/** The same, with what only some children need. */
export function fixedVariables({ trusted, cliVersion }: Circumstances): Record<string, string> {
  return {
    ...ALWAYS_SET,
    // An older CLI runs `git status` and `git log` at its start, and these run what the repository's configuration says.
    ...(trusted || isAtLeast(cliVersion, READS_GIT_SAFELY)
      ? {}
      : { CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1' }),
  }
}

interface Extra {
  readonly sessionId: string
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly fixed?: Readonly<Record<string, string>> | undefined
}

/** The environment of a run: ours without what is not the child's business, then the caller's, then what neither may change. */
export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  { sessionId, env = {}, fixed = {} }: Extra,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(base))
    if (value !== undefined && !isDropped(name)) environment[name] = value
  const ours = { ...fixed, [SESSION_MARK]: sessionId }
  for (const [name, value] of Object.entries(env)) {
    if (isDropped(name) || name in ours)
      throw new AppError('invalid_input', `env may not set ${name}; leave it out.`)
    if (!/^[A-Za-z_]\w*$/.test(name) || value.includes('\0'))
      throw new AppError(
        'invalid_input',
        `env: ${JSON.stringify(name)} is not a name and a value that a process can have; correct or remove it.`,
      )
    environment[name] = value
  }
  return withGuardedGit({ ...environment, ...ours })
}

function isDropped(name: string): boolean {
  return DROPPED.has(name) || name.startsWith('PLEXUS_')
}
