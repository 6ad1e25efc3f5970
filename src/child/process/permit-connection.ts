import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import type { ControlRequest } from '../lines/stdin-messages.ts'
import { PERMIT_SERVER } from '../launch/mcp-servers.ts'

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
      const { status, scope } = await statusOfPermit(send)
      if (scope !== undefined && scope !== OURS) throw notOurs(scope)
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
    'Claude Code could not connect to the hub, so it was ended; try again, or use carrier "control" without nested.',
  )
}

/** An answer that does not come, or that we cannot read, is asked for again. */
async function statusOfPermit(send: PermitConnection['send']): Promise<Partial<ServerStatus>> {
  const answer = await send({ subtype: 'mcp_status' }).catch(() => undefined)
  const servers = Status.safeParse(answer).data?.mcpServers ?? []
  return servers.find(({ name }) => name === PERMIT_SERVER) ?? {}
}

/** What the child calls by this name may do what ours may, so no other may stand in its place. */
function notOurs(scope: string): AppError {
  return new AppError(
    'forbidden',
    `A server called "${PERMIT_SERVER}" of scope ${scope} stands in the place of ours, so Claude Code was ended; give it another name.`,
  )
}

const ServerStatus = z.object({ name: z.string(), status: z.string(), scope: z.string().optional() })
type ServerStatus = z.infer<typeof ServerStatus>
const Status = z.object({ mcpServers: z.array(ServerStatus) })
/** What the CLI says of a server from `--mcp-config`; it goes before those of the user and the project. */
const OURS = 'dynamic'
const AGAIN_MS = 50
