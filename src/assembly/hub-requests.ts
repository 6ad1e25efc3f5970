import { kept as keptPart } from '../audit/kept-input.ts'
import type { NoteVerifier } from '../audit/signed-note.ts'
import { configFolder } from '../child/launch/trust.ts'
import type { Engine } from '../engine/engine.ts'
import { createEngine } from '../engine/local-engine.ts'
import { followTerminals } from '../engine/terminals/follow-terminals.ts'
import { systemClock } from '../base/clock.ts'
import { Devices } from '../devices/devices.ts'
import { rateLimited } from '../async/rate-limit.ts'
import { ConnectionsFile } from '../hub/connections-file.ts'
import { treeUses } from '../engine/budgets/list-budgets.ts'
import type { Metrics } from '../hub/metrics.ts'
import { tokenVerifier } from '../hub/tokens/caller-of-token.ts'
import type { HubAddress } from '../hub-client/hub-address.ts'
import { createSigner } from '../text/signed-text.ts'
import { TranscriptIndex } from '../transcripts/transcript-index.ts'
import { httpHandler } from '../transports/routes/http-handler.ts'
import type { Handler, Listener } from '../transports/http/listener.ts'
import type { McpHandler } from '../transports/mcp-http/mcp-http.ts'
import { inProcessCalls } from '../transports/operation/operation-by-name.ts'
import { builtPage } from '../transports/page/page-files.ts'
import type { RefusedCall } from '../transports/refused-call.ts'
import type { Sessions } from './adopt-sessions.ts'
import type { HubNotices, HubSessionsParts } from './hub-sessions.ts'

/** Lines a minute: a caller with a token may be refused more often than a caller without. */
const MAX_REFUSED = 200

export interface RequestParts extends Omit<HubSessionsParts, 'permitUrl' | 'isAnswering'> {
  readonly sessions: Sessions
  readonly metrics: Metrics
  readonly notices: HubNotices
  readonly listener: Listener
  readonly signingKey: string
  /** The public key of the record. */
  readonly recordKey: NoteVerifier
}

export interface Requests {
  readonly engine: Engine
  readonly handler: Handler
  /** Calls operations from this process, with this token. */
  readonly calls: (token: string) => NonNullable<HubAddress['inProcess']>
  /** Loads the code that the first request over MCP would otherwise wait for. */
  readonly loadMcp: () => Promise<unknown>
  /** From now on terminals are neither followed nor answered. Call it before the sessions are closed. */
  readonly detach: () => void
  readonly close: () => void
}

/** The handlers of the requests to a hub. */
export async function hubRequests(parts: RequestParts): Promise<Requests> {
  const { config, rights, home, store, sessions, metrics, listener, log } = parts
  const folder = configFolder(config.env)
  const transcripts = folder === undefined ? undefined : new TranscriptIndex(folder)
  const devices = new Devices(store, systemClock, {
    local: () => `http://127.0.0.1:${listener.port}`,
    proxied: config.proxyHost === undefined ? undefined : `https://${config.proxyHost}`,
  })
  const engine = createEngine({
    ...sessions,
    devices,
    recordKey: parts.recordKey,
    notices: parts.notices.settings,
    userHome: config.env['HOME'],
    permissionTimeoutMs: config.permissionTimeoutMs,
    carrier: config.carrier,
    relay: { command: process.execPath, args: [process.argv[1] ?? '', 'relay', '--home', home] },
    // Such a hub was started in the background, in the folder of some client.
    needsFolder: config.exitWhenIdleSeconds !== undefined,
    transcripts,
  })
  const { foundAtWork } = sessions
  const terminals = followTerminals({
    store,
    supervisor: sessions.supervisor,
    configFolder: folder,
    onError: (error) => log.error('A terminal could not be followed.', { error }),
  })
  const kept = await ConnectionsFile.open(home)
  const refusedCall = rateLimited(log.warn, { maxLines: MAX_REFUSED })
  const recordRefused = rateLimited(
    (_, fields) =>
      void store.record
        .append([{ kind: 'call-refused', at: Date.now(), body: { refused: keptPart(fields) } }])
        .catch((error: unknown) => log.warn('A refused call could not be recorded.', { error })),
    { maxLines: MAX_REFUSED },
  )
  const onRefused = (refused: RefusedCall) => {
    refusedCall('A call was refused.', { ...refused })
    recordRefused('', { ...refused })
  }
  const identify = tokenVerifier(store.callers, home, () => rights().scopes)
  const load = async (): Promise<McpHandler> => {
    const { mcpHandler } = await import('../transports/mcp-http/mcp-http.ts')
    return mcpHandler(engine, {
      // The next hub has the same key, so it can take the answer to a form of this hub.
      closing: listener.closing,
      foundAtWork,
      signer: createSigner(parts.signingKey),
      kept,
      onError: (error) => log.error('A call of MCP failed.', { error }),
      onRefused,
    })
  }
  let loaded: Promise<McpHandler> | undefined
  const mcp = () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    }))
  const handler = httpHandler({
    engine,
    devices,
    page: builtPage(),
    proxyHost: config.proxyHost,
    identify,
    foundAtWork,
    metrics: async () => metrics.text(await treeUses(store, sessions.budgets)),
    log,
    onRefused,
    mcp: async (request, caller) => (await mcp())(request, caller),
    terminals: async (asked, gone) =>
      terminals.asks.ask(asked, gone).catch((error: unknown) => {
        log.error('A question of a terminal failed.', { error })
        return {}
      }),
  })
  const onError = (error: unknown, method: string) => log.error('A call failed.', { method, error })
  return {
    engine,
    handler,
    calls: (token) => inProcessCalls({ identify, engine, onError, onRefused }, token),
    loadMcp: mcp,
    detach: () => terminals.close(),
    close: () => transcripts?.close(),
  }
}
