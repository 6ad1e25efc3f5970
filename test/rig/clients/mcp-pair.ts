/** A client and a server of MCP with a connection that lasts, as on stdio, in one process. */
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { onTestFinished } from 'vitest'
import { operationsFor } from '../../../src/api/operations.ts'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { FormSwitch, type Seat } from '../../../src/transports/person/known-person.ts'
import { createSigner } from '../../../src/text/signed-text.ts'
import { mcpServerFor } from '../../../src/transports/mcp/mcp-server.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { OPERATOR } from '../hubs/engines.ts'
import { type ClientKind, clientOver, type McpClient, type Person } from './mcp-clients.ts'

/** A model that acts for the operator. */
export const MODEL: Caller = { ...OPERATOR, person: false, scopes: ['transcripts'] }

/** Where the server has its engine from. */
interface Served {
  readonly as: (caller: Caller) => Engine
  readonly project: string
  readonly parts: { readonly errors: unknown[] }
}

interface Pairing {
  readonly person?: Person
  readonly caller?: Caller
  /** A connection that was configured to ask the person first, unless a test says otherwise. */
  readonly seat?: Partial<Seat>
  /** By it a form takes longer than a second, unless a test says otherwise. */
  readonly now?: () => number
}

/** A clock at which two seconds pass between any two looks. */
function unhurried(): () => number {
  let time = 0
  return () => (time += 2_000)
}

export async function pairedClient(
  kind: ClientKind,
  rig: Served,
  { person, caller = MODEL, seat = {}, now = unhurried() }: Pairing = {},
): Promise<McpClient> {
  const forms = new FormSwitch()
  const signer = createSigner('a key')
  const [near, far] = InMemoryTransport.createLinkedPair()
  const served = serveStdio(
    () =>
      mcpServerFor({
        engine: rig.as(caller),
        caller,
        operations: operationsFor(caller, 'claude'),
        seat: { ask: 'both', isTerminal: false, forms, ...seat },
        signer,
        now,
        workingDirectory: rig.project,
        progressMs: 15_000,
        onError: (error) => rig.parts.errors.push(error),
        onRefused: () => {},
      }),
    { transport: far },
  )
  onTestFinished(() => served.close())
  return clientOver(kind, near, person)
}
