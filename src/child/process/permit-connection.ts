import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import type { ControlRequest } from '../lines/stdin-messages.ts'
import { PERMIT_SERVER } from '../launch/mcp-servers.ts'

export interface PermitConnection {
  readonly send: (request: ControlRequest) => Promise<unknown>
  /** Whether the hub listens. */
  readonly isUp: () => boolean
  /** An earlier hub was connected, and a call to it may be open: the child must reconnect to notice that it is gone. */
  readonly reconnect: boolean
  readonly signal: AbortSignal
  readonly timeoutMs?: number | undefined
}

/**
 * Waits until the child is connected to us, so that it can ask. A child that begins its turn before that ends at its first
 * question, and a child whose hub was replaced waits for two minutes before it notices; so we make both connect.
 */
export async function connectPermit({
  send,
  isUp,
  reconnect,
  signal,
  timeoutMs = 30_000,
}: PermitConnection): Promise<void> {
  let mustReconnect = reconnect
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    if (isUp()) {
      const { status, scope } = await statusOfPermit(send)
      if (scope !== undefined && scope !== OUR_SCOPE) throw notOurs(scope)
      if (!mustReconnect && status === 'connected') return
      // A refusal is ignored: the next status has the same reason.
      if (mustReconnect || status === 'failed')
        await send({ subtype: 'mcp_reconnect', serverName: PERMIT_SERVER }).catch(() => {})
      mustReconnect = false
    }
    await sleep(POLL_MS, undefined, { signal })
  }
  throw new AppError(
    'cli_failed',
    'Claude Code could not connect to the hub, so it was ended; try again, or use carrier "control" without nested.',
  )
}

/** A missing or unreadable response counts as no status: the caller asks again. */
async function statusOfPermit(send: PermitConnection['send']): Promise<Partial<ServerStatus>> {
  const answer = await send({ subtype: 'mcp_status' }).catch(() => undefined)
  const servers = Status.safeParse(answer).data?.mcpServers ?? []
  return servers.find(({ name }) => name === PERMIT_SERVER) ?? {}
}

/** The child's calls to this name may do what calls to our server may, so no other server may have the name. */
function notOurs(scope: string): AppError {
  return new AppError(
    'forbidden',
    `A server called "${PERMIT_SERVER}" of scope ${scope} stands in the place of ours, so Claude Code was ended; give it another name.`,
  )
}

const ServerStatus = z.object({ name: z.string(), status: z.string(), scope: z.string().optional() })
type ServerStatus = z.infer<typeof ServerStatus>
const Status = z.object({ mcpServers: z.array(ServerStatus) })
/** The CLI's scope of a server from `--mcp-config`; it takes precedence over servers of the user and the project. */
const OUR_SCOPE = 'dynamic'
const POLL_MS = 50
