import { silentHubSentence } from '../../../hub-client/hub-answers.ts'
import { isOlder } from '../../../text/version-order.ts'
import { fix, note, ok, type Outcome } from './finding.ts'

export interface HubFacts {
  /** The version of this program. */
  readonly version: string
  /** The process that has the home folder. */
  readonly pid?: number | undefined
  /** What it says of itself; undefined while it starts or ends. */
  readonly record?:
    | { readonly url: string; readonly version: string; readonly background?: boolean | undefined }
    | undefined
  /** Whether it answers on its socket. */
  readonly answers: boolean
  /** When it was ready, in words. */
  readonly since?: string | undefined
  readonly service: { readonly installed: boolean; readonly pid?: number | undefined }
  /** The port of the configuration; 0 is any. */
  readonly port: number
  readonly portIsFree: boolean
}

export function judgeHub({ version, pid, record, answers, since, service }: HubFacts): Outcome[] {
  if (pid === undefined)
    return [
      service.installed
        ? fix('The service is installed and no hub runs. Run: plexus service status')
        : ok('No hub runs; a command that needs one starts it.'),
    ]
  if (record === undefined)
    return [
      note(
        `The process ${pid} has the home folder and is not ready: it starts or ends. Run plexus doctor again.`,
      ),
    ]
  if (!answers) return [fix(silentHubSentence(pid))]
  const kind =
    service.pid === pid ? 'as a service' : record.background ? 'in the background' : 'in a terminal'
  const runs = `A hub runs ${kind} (pid ${pid}${since === undefined ? '' : `, since ${since}`})`
  if (isOlder(record.version, version))
    return [
      note(
        `${runs}. It is ${record.version}, older than this ${version}; the next command that changes something replaces it.`,
      ),
    ]
  if (isOlder(version, record.version))
    return [note(`${runs}. It is ${record.version}, newer than this ${version}; update this program.`)]
  if (service.installed && service.pid !== pid)
    return [fix(`${runs}, and not the installed service. Run: plexus service install`)]
  return [ok(`${runs}, version ${record.version}.`)]
}

/** A client that is configured for a port sends its token to whatever program listens there. */
export function judgePort({ record, answers, port, portIsFree }: HubFacts): Outcome[] {
  const own = record === undefined ? undefined : Number(new URL(record.url).port)
  if (record !== undefined && answers && (own === port || port === 0))
    return [ok(`The hub listens on port ${own}.`)]
  if (port === 0) return [ok('Any free port is taken.')]
  if (!portIsFree)
    return [
      fix(
        `Port ${port} is taken by another program, or by the hub of another home folder. Choose another with PLEXUS_PORT, and give no client a token for that port.`,
      ),
    ]
  if (own !== undefined && answers)
    return [note(`The hub listens on port ${own} and not on ${port}: an HTTP client needs its address.`)]
  return [ok(`Port ${port} is free.`)]
}
