import { join } from 'node:path'
import { AppError } from '../../base/errors.ts'
import { AGENT_LABEL, launchdAgent } from './launchd-agent.ts'
import type { ServiceSpec } from './service-spec.ts'
import { systemdUnit } from './systemd-unit.ts'

type Env = Readonly<Record<string, string | undefined>>
type CommandLine = readonly [program: string, ...args: string[]]

export interface ServiceState {
  /** Whether the system answers: without a user session there may be none that does. */
  readonly reachable: boolean
  readonly active: boolean
  /** Whether it starts with the user's session. */
  readonly enabled: boolean
  readonly pid?: number | undefined
}

/** How one system keeps a service: the file that describes it, and the command lines that apply to it. */
export interface ServiceSystem {
  readonly name: 'systemd' | 'launchd'
  readonly file: string
  readonly textOf: (spec: ServiceSpec) => string
  /** Makes the system read the file, and start the service with each session. */
  readonly enable: readonly CommandLine[]
  /** Starts it now; where it runs, it starts anew. */
  readonly start: readonly CommandLine[]
  /** Stops it, before the file is removed. */
  readonly disable: readonly CommandLine[]
  /** After the file was removed. */
  readonly forget: readonly CommandLine[]
  readonly query: CommandLine
  /** From the output of `query`; undefined if it failed. */
  readonly stateFrom: (output: string | undefined) => ServiceState
  /** Shows what the hub has logged. */
  readonly log: string
}

const UNIT = 'plexus.service'
const NOT_REACHABLE: ServiceState = { reachable: false, active: false, enabled: false }

export function serviceSystem(env: Env, platform: NodeJS.Platform, uid: number): ServiceSystem {
  const { HOME } = env
  if (!HOME)
    throw new AppError('invalid_input', 'HOME is not set, so a service has no place; set it and try again.')
  if (platform === 'darwin') return launchd(HOME, uid)
  return systemd(env['XDG_CONFIG_HOME'] || join(HOME, '.config'))
}

function systemd(configFolder: string): ServiceSystem {
  return {
    name: 'systemd',
    file: join(configFolder, 'systemd/user', UNIT),
    textOf: systemdUnit,
    enable: [systemctl('daemon-reload'), systemctl('enable', UNIT)],
    start: [systemctl('restart', UNIT)],
    disable: [systemctl('disable', '--now', UNIT)],
    forget: [systemctl('daemon-reload')],
    query: systemctl('show', UNIT, '--property=ActiveState,MainPID,UnitFileState'),
    stateFrom: systemdState,
    log: `journalctl --user -u ${UNIT}`,
  }
}

function systemctl(...args: string[]): CommandLine {
  return ['systemctl', '--user', ...args]
}

function systemdState(output: string | undefined): ServiceState {
  if (output === undefined) return NOT_REACHABLE
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(output)?.[1]
  const pid = Number(value('MainPID') ?? 0)
  return {
    reachable: true,
    active: value('ActiveState') === 'active',
    enabled: value('UnitFileState') === 'enabled',
    ...(pid > 0 ? { pid } : {}),
  }
}

function launchd(home: string, uid: number): ServiceSystem {
  const file = join(home, 'Library/LaunchAgents', `${AGENT_LABEL}.plist`)
  const [domain, target] = [`gui/${uid}`, `gui/${uid}/${AGENT_LABEL}`]
  return {
    name: 'launchd',
    file,
    textOf: launchdAgent,
    enable: [['launchctl', 'enable', target]],
    start: [
      ['launchctl', 'bootout', target],
      ['launchctl', 'bootstrap', domain, file],
    ],
    disable: [['launchctl', 'bootout', target]],
    forget: [],
    query: ['launchctl', 'print', target],
    stateFrom: launchdState,
    log: 'hub.log of the home folder',
  }
}

/** It fails for a service that is not loaded, and launchd itself is always there. */
function launchdState(output: string | undefined): ServiceState {
  const pid = Number(/^\s*pid = (\d+)$/m.exec(output ?? '')?.[1] ?? 0)
  const isLoaded = output !== undefined
  return { reachable: true, active: pid > 0, enabled: isLoaded, ...(pid > 0 ? { pid } : {}) }
}
