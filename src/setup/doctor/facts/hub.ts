import { existsSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { VERSION } from '../../../base/version.ts'
import { hubHolder } from '../../../hub/hub-lock.ts'
import { readHubRecord } from '../../../hub/hub-record.ts'
import { ONLOOKER } from '../../../hub-client/hub-address.ts'
import { isFree } from '../../../transports/http/free-port.ts'
import { serviceState } from '../../service/run-system.ts'
import { installedText } from '../../service/service-file.ts'
import { serviceSystem } from '../../service/service-system.ts'
import type { HubFacts } from '../checks/hub.ts'
import type { Place } from './place.ts'

const ANSWER_MS = 2_000

export async function hubFacts(place: Place): Promise<HubFacts> {
  const { home, port } = place
  const holder = await hubHolder(home)
  const found = holder && (await readHubRecord(home))
  const record = found && found.pid === holder?.pid ? found : undefined
  return {
    version: VERSION,
    pid: holder?.pid,
    record,
    answers: record !== undefined && (await answers(record.socket)),
    since: record && localTime(statSync(join(home, 'hub.json')).mtime),
    service: await serviceOf(place),
    port,
    portIsFree: port === 0 || (await isFree(port)),
  }
}

/** A service for another home folder does not count. */
async function serviceOf({ env, home, platform }: Place): Promise<HubFacts['service']> {
  if (!env['HOME']) return { installed: false }
  const system = serviceSystem(env, platform, process.getuid?.() ?? 0)
  if (!existsSync(system.file) || !installedText(system.file)?.includes(home)) return { installed: false }
  const { pid } = await serviceState(system, env)
  return { installed: true, pid }
}

/** The health check needs no token, and an onlooker keeps no hub alive. */
function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { socketPath, path: '/healthz', headers: { [ONLOOKER]: '1' }, timeout: ANSWER_MS }
    const call = request(options, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    call.on('error', () => resolve(false))
    call.on('timeout', () => call.destroy())
    call.end()
  })
}

function localTime(date: Date): string {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
