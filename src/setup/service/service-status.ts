import { hubHolder } from '../../hub/hub-lock.ts'
import { lingers, serviceState } from './run-system.ts'
import { installedText } from './service-file.ts'
import type { ServiceSpec } from './service-spec.ts'
import type { ServiceState, ServiceSystem } from './service-system.ts'

export interface ServiceStatus extends ServiceState {
  readonly file: string
  /** `other` is a file that `plexus service install` would write differently. */
  readonly installed: 'no' | 'yes' | 'other'
  /** Whether it runs without a session of its user; undefined where it is not known. */
  readonly linger?: boolean | undefined
  /** The hub of the home folder, where it is not the service. */
  readonly otherHub?: number | undefined
}

type Env = Readonly<Record<string, string | undefined>>

export async function statusOfService(
  system: ServiceSystem,
  spec: ServiceSpec,
  env: Env,
): Promise<ServiceStatus> {
  const text = installedText(system.file)
  const state = await serviceState(system, env)
  const linger = system.name === 'systemd' ? await lingers(env, process.getuid?.() ?? 0) : undefined
  const holder = await hubHolder(spec.home)
  return {
    file: system.file,
    installed: text === undefined ? 'no' : text === system.textOf(spec) ? 'yes' : 'other',
    ...state,
    ...(linger === undefined ? {} : { linger }),
    ...(holder && holder.pid !== state.pid ? { otherHub: holder.pid } : {}),
  }
}

/** A line for each thing that a person wants to know. */
export function statusWords({
  file,
  installed,
  reachable,
  active,
  enabled,
  pid,
  linger,
  otherHub,
}: ServiceStatus) {
  if (installed === 'no') return [`The service is not installed; plexus service install writes ${file}.`]
  return [
    installed === 'yes'
      ? `The service is installed: ${file}`
      : `${file} is not what plexus service install writes now; run it again to update it.`,
    ...(reachable
      ? []
      : ['systemd does not run for this user here, so the state of the service is not known.']),
    ...(reachable
      ? [active ? `It runs (pid ${pid}).` : 'It does not run; plexus service install starts it.']
      : []),
    ...(reachable && !enabled
      ? ['It does not start when you log in; plexus service install enables it.']
      : []),
    ...(otherHub === undefined
      ? []
      : [`Another hub has the home folder (pid ${otherHub}); one can run there.`]),
    ...(linger === false ? ['It ends when you log out, unless you run once: loginctl enable-linger'] : []),
  ]
}
