import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import type { ControlRequest } from './control.ts'
import { PERMIT_SERVER } from './mcp-servers.ts'

export interface PermitConnection {
  readonly send: (request: ControlRequest) => Promise<unknown>
  /** The hub listens. */
  readonly isUp: () => boolean
  /** An earlier hub was connected, and a call to it may be open: the child must be told that it is gone. */
  readonly anew: boolean
  readonly signal: AbortSignal
  readonly patienceMs?: number | undefined
}

/**
 * Waits until the child is connected with us, so that it can ask. A child that begins its turn before that ends at its
 * first question, and one whose hub was replaced waits for two minutes before it notices; both are told to connect.
 */
export async function connectPermit({
  send,
  isUp,
  anew,
  signal,
  patienceMs = 30_000,
}: PermitConnection): Promise<void> {
  let told = !anew
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline) {
    if (isUp()) {
      const status = await statusOfPermit(send)
      if (told && status === 'connected') return
      // It may be refused, with the reason that the next status says again.
      if (!told || status === 'failed')
        await send({ subtype: 'mcp_reconnect', serverName: PERMIT_SERVER }).catch(() => {})
      told = true
    }
    await sleep(AGAIN_MS, undefined, { signal })
  }
  throw new AppError(
    'cli_failed',
    'Claude Code could not connect to the hub to ask for permission, so it was ended; try again, or use carrier "control".',
  )
}

/** An answer that does not come, or that we cannot read, is asked for again. */
async function statusOfPermit(send: PermitConnection['send']): Promise<string | undefined> {
  const answer = await send({ subtype: 'mcp_status' }).catch(() => undefined)
  const servers = Status.safeParse(answer).data?.mcpServers ?? []
  return servers.find(({ name }) => name === PERMIT_SERVER)?.status
}

const Status = z.object({ mcpServers: z.array(z.object({ name: z.string(), status: z.string() })) })
const AGAIN_MS = 50
