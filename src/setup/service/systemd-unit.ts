import { AppError } from '../../base/errors.ts'
import type { ServiceSpec } from './service-spec.ts'

/** The first line of a file that `plexus service install` wrote: only such a file is removed again. */
export const MADE_BY_US = 'Made by plexus service install; plexus service uninstall removes it.'

/**
 * A unit of the user's own systemd. KillMode=process is what keeps sessions alive: by default systemd ends every process of a
 * unit with it. With it only the hub gets the signal, and the next hub adopts the children.
 */
export function systemdUnit({ node, program, environment }: ServiceSpec): string {
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${quoted(`${name}=${value}`)}`,
  )
  return `# ${MADE_BY_US}
[Unit]
Description=Plexus, the hub of supervised Claude Code sessions
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
${variables.join('\n')}
ExecStart=${[programWord(node), argumentWord(program), 'serve'].join(' ')}
# Only the hub is ended, never the processes of its sessions: the next hub adopts them.
KillMode=process
# A session that runs out of memory is no reason to end the hub.
OOMPolicy=continue
Restart=on-failure
RestartSec=2
# The hub gives itself 8 seconds to end.
TimeoutStopSec=15

[Install]
WantedBy=default.target
`
}

/** Inside double quotes: a backslash begins an escape, and % a specifier. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`
}

/** In an argument $ begins a variable; in the program's own path it does not. */
export function argumentWord(text: string): string {
  return quoted(text.replaceAll('$', '$$$$'))
}

/** systemd takes no quotes and no backslashes in the path of a program, however they are written. */
export function programWord(path: string): string {
  if (/["'\\]/.test(path))
    throw new AppError(
      'invalid_input',
      `systemd cannot start ${path}, because its path has a quote or a backslash; use a Node in another folder.`,
    )
  return quoted(path)
}
