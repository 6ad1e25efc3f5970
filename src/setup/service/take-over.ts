import { setTimeout as sleep } from 'node:timers/promises'
import { endHub } from '../../hub/background/end-hub.ts'
import { hubHolder } from '../../hub/hub-lock.ts'
import { readHubRecord } from '../../hub/hub-record.ts'

/** The hub that has the home folder when a service is to take it over. */
export type HubInTheWay = { readonly kind: 'background' | 'terminal' | 'client'; readonly pid: number }

const READY_MS = 15_000

/** There is one hub per home folder, so the service cannot start while another has it. */
export async function hubInTheWay(
  home: string,
  servicePid: number | undefined,
): Promise<HubInTheWay | undefined> {
  const holder = await hubHolder(home)
  if (!holder || holder.pid === servicePid) return undefined
  const record = await readHubRecord(home)
  const known = record?.pid === holder.pid ? record : undefined
  const kind = known?.background ? 'background' : known?.standalone ? 'client' : 'terminal'
  return { kind, pid: holder.pid }
}

/** A hub in the background ends by itself when nobody needs it, so it may be ended; its children stay for the next hub. */
export async function endBackgroundHub(home: string, pid: number): Promise<void> {
  const holder = await hubHolder(home)
  if (holder?.pid === pid) await endHub(holder)
}

/** The pid of the hub once one is ready in the home folder; undefined if none is in time. */
export async function readyHub(home: string): Promise<number | undefined> {
  for (const deadline = performance.now() + READY_MS; performance.now() < deadline; await sleep(100)) {
    const [holder, record] = [await hubHolder(home), await readHubRecord(home)]
    if (holder && record?.pid === holder.pid) return holder.pid
  }
  return undefined
}

/** How a hub that somebody else runs makes room. */
export function makeRoomSentence({ kind, pid }: HubInTheWay, start: string): string {
  const [what, how] =
    kind === 'client'
      ? [`An MCP client is the hub of this home folder (pid ${pid})`, 'Close that client']
      : [`A hub runs already (pid ${pid})`, `End it with Ctrl-C in its terminal, or kill ${pid}`]
  return `${what}, and there is one per home folder. ${how}, then run: ${start}. Its sessions stay, and the service adopts them.`
}
