import { AppError } from '../../base/errors.ts'
import { isAtLeast } from '../../text/version-order.ts'
import { SESSION_MARK } from '../../system/session-mark.ts'
import { withGuardedGit } from './git-environment.ts'

/** Variables that a CLI sets for the processes it starts, and variables that would change how our child starts. */
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
  // With it `cd src` may lead to another folder than the one below the shell's.
  'CDPATH',
])

/** The oldest version that was seen to run nothing from a repository's git configuration when it reads it by itself. */
const READS_GIT_SAFELY = '2.1.325'

interface ChildContext {
  /** Whether a person trusts all folders of the session. */
  readonly trusted: boolean
  readonly cliVersion: string
}

/**
 * Variables of the CLI that only we set. They are in the environment and in our settings: settings of a user or of a
 * repository contain variables too. For the CLI those override its environment, and our settings override those.
 */
export const ALWAYS_SET: Readonly<Record<string, string>> = {
  // The CLI sends a repository's .claude/scheduled_tasks.json to the model as if a user had written it.
  CLAUDE_CODE_DISABLE_CRON: '1',
  // The simple mode has no hooks, ours included.
  CLAUDE_CODE_SIMPLE: '0',
}

/** `ALWAYS_SET`, and the variables that only some children need. */
export function fixedVariables({ trusted, cliVersion }: ChildContext): Record<string, string> {
  return {
    ...ALWAYS_SET,
    // An older CLI runs `git status` and `git log` at its start, and these run what the repository's configuration says.
    ...(trusted || isAtLeast(cliVersion, READS_GIT_SAFELY)
      ? {}
      : { CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1' }),
  }
}

interface EnvironmentParts {
  readonly sessionId: string
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly fixed?: Readonly<Record<string, string>> | undefined
}

/** The environment of a run: ours without the dropped variables, then the caller's, then variables that neither may change. */
export function childEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  { sessionId, env = {}, fixed = {} }: EnvironmentParts,
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
