import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../../base/version.ts'
import { hubHolder } from '../../../hub/hub-lock.ts'
import { readHubRecord } from '../../../hub/hub-record.ts'
import { hubAnswers } from '../../../hub-client/hub-answers.ts'
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
    answers: record !== undefined && (await hubAnswers(record.socket, ANSWER_MS)),
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

function localTime(date: Date): string {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
