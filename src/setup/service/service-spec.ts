import { delimiter, dirname, isAbsolute } from 'node:path'
import { type Env, VARIABLES } from '../../assembly/config.ts'
import { AppError } from '../../base/errors.ts'

/** What the system must know to run a hub: the program, and the environment that a service lacks. */
export interface ServiceSpec {
  /** The full path of Node. */
  readonly node: string
  /** The file that Node is to run: this program. */
  readonly program: string
  /** The home folder of the hub. */
  readonly home: string
  readonly environment: Readonly<Record<string, string>>
}

export interface SpecParts {
  readonly node: string
  readonly program: string
  readonly home: string
  readonly env: Env
}

/**
 * Variables of the shell that a hub needs and a service does not inherit. Anybody who may read the unit may read them, so
 * nothing that could hold a secret is in this list; a key for the API stays out of it.
 */
const KEPT = [...Object.keys(VARIABLES), 'CLAUDE_CONFIG_DIR'].filter((name) => name !== 'PLEXUS_HOME')

/** Variables by which sessions log in: a service does not have them. */
const LOGINS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'] as const

export function serviceSpec({ node, program, home, env }: SpecParts): ServiceSpec {
  if (program.includes('/_npx/'))
    throw new AppError(
      'invalid_input',
      'npx keeps this program only for a while, so a service cannot use it; install it with npm install -g plexus-mcp first.',
    )
  const kept = KEPT.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []))
  const environment = {
    PATH: pathFor(env['PATH'] ?? '', node),
    PLEXUS_HOME: home,
    ...Object.fromEntries(kept),
  }
  for (const text of [node, program, ...Object.values(environment)]) requirePlainText(text)
  return { node, program, home, environment }
}

export function leftOutSentence(name: string): string {
  return `${name} is set here and is not written into a file: sessions of the service use the login of Claude Code.`
}

/** The login variables that are set here and that the service will not have. */
export function loginsLeftOut(env: Env): string[] {
  return LOGINS.filter((name) => env[name])
}

/** With the folder of Node: a `claude` that npm has installed is a script for it. A relative folder means nothing there. */
function pathFor(path: string, node: string): string {
  return [...new Set([...path.split(delimiter).filter(isAbsolute), dirname(node)])].join(delimiter)
}

function requirePlainText(text: string): void {
  // XML has none of these, and systemd takes no control character in the path of a program.
  if (/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(text))
    throw new AppError(
      'invalid_input',
      `${JSON.stringify(text)} has a control character, which a service file cannot hold; change that path or variable.`,
    )
}
