import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inFolder } from '../filled-store.ts'
import { programArgs, RpcProcess } from './rpc-process.ts'

/** A hub as a user has it: the built program, in a process of its own. */
export interface HubProcess {
  readonly pid: number
  readonly url: string
  readonly socket: string
  readonly tokenFile: string
  /** Its children stay, unless it was started with `--end-children`. */
  readonly end: () => Promise<void>
}

/** Resolves when it says that it is ready. */
export async function startHub(
  env: Record<string, string>,
  ...flags: readonly string[]
): Promise<HubProcess> {
  const hub = spawn(process.execPath, programArgs('serve', '--port', '0', '--json', ...flags), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(hub, 'exit')
  const { value } = await createInterface({ input: hub.stdout })[Symbol.asyncIterator]().next()
  if (value === undefined) throw new Error('The hub ended before it was ready.')
  const ready: Omit<HubProcess, 'end'> = JSON.parse(value)
  const end = async () => {
    hub.kill()
    await exit
  }
  return { ...ready, end }
}

export interface UserRig {
  /** The environment of the hub and its clients. */
  readonly env: Record<string, string>
  readonly hub: HubProcess
  /** A folder for a session to work in. */
  readonly project: string
  /** A new `plexus mcp`, as a client starts it. */
  readonly client: () => Promise<RpcProcess>
}

/** A hub and clients of it in a folder of their own, until the work is done. */
export function withHubProcess<T>(
  environmentIn: (folder: string) => Promise<Record<string, string>>,
  work: (rig: UserRig) => Promise<T>,
): Promise<T> {
  return inFolder(async (path) => {
    const folder = await realpath(path)
    const project = join(folder, 'project')
    await mkdir(project)
    const home = join(folder, 'home')
    const env = { LOG_LEVEL: 'error', ...(await environmentIn(folder)), PLEXUS_HOME: home }
    const hub = await startHub(env, '--end-children')
    const clients: RpcProcess[] = []
    const client = async () => {
      const started = new RpcProcess(programArgs('mcp'), env)
      clients.push(started)
      await started.open()
      return started
    }
    try {
      return await work({ env, hub, project, client })
    } finally {
      for (const each of clients) await each.end()
      await hub.end()
    }
  })
}
