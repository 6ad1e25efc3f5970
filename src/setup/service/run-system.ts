import { AppError } from '../../base/errors.ts'
import { runCommand } from '../../system/run-command.ts'
import { visibleText } from '../../text/visible-text.ts'
import type { ServiceState, ServiceSystem } from './service-system.ts'

type Env = Readonly<Record<string, string | undefined>>

const LIMIT_MS = 20_000
const QUERY_MS = 3_000

export async function serviceState(system: ServiceSystem, env: Env): Promise<ServiceState> {
  return system.stateFrom(await outputOf(system.query, env))
}

/** Runs these command lines one after the other; the first that fails ends it, unless failures do not matter. */
export async function runLines(
  lines: readonly (readonly string[])[],
  env: Env,
  { mayFail = false } = {},
): Promise<void> {
  for (const [program = '', ...args] of lines) {
    const ran = await runCommand(program, args, { env: systemEnv(env), timeoutMs: LIMIT_MS })
    if (mayFail || (ran.outcome === 'exited' && ran.code === 0)) continue
    const said = ran.outcome === 'exited' ? (ran.stderr || ran.stdout).trim().split('\n')[0] : ran.outcome
    throw new AppError(
      'internal',
      `${[program, ...args].join(' ')} failed (${visibleText(said ?? '')}); the file is in place, so run it yourself once that is repaired.`,
    )
  }
}

/** Whether the user's services run without a session; undefined where it is not known. */
export async function lingers(env: Env, uid: number): Promise<boolean | undefined> {
  const output = await outputOf(['loginctl', 'show-user', String(uid), '--property=Linger'], env)
  const [, value] = /^Linger=(yes|no)$/m.exec(output ?? '') ?? []
  return value === undefined ? undefined : value === 'yes'
}

async function outputOf(line: readonly string[], env: Env): Promise<string | undefined> {
  const [program = '', ...args] = line
  const ran = await runCommand(program, args, { env: systemEnv(env), timeoutMs: QUERY_MS })
  return ran.outcome === 'exited' && ran.code === 0 ? ran.stdout : undefined
}

/** What systemctl needs to find the user's systemd; a shell that was started by su has no XDG_RUNTIME_DIR. */
function systemEnv(env: Env): Record<string, string> {
  const names = ['HOME', 'PATH', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR']
  const set = Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  return { XDG_RUNTIME_DIR: `/run/user/${process.getuid?.() ?? 0}`, LC_ALL: 'C', ...set }
}
