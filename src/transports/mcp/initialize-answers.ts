import type { Toolset } from '../../api/operations.ts'
import { VERSION } from '../../base/version.ts'
import type { McpTable } from './tool-table.ts'

/** The answer to a request from the table; none for a notification. */
export interface TableAnswer {
  readonly answer?: object
  /** The message belongs to the opening of the connection: the full server must get it too. */
  readonly opening: boolean
}

export interface InitializedClient {
  /** What the client calls itself. */
  readonly name: string
  /** Its capability `elicitation`. */
  readonly elicitation: unknown
}

/**
 * Answers the first requests of a connection of the 2025 era from a table: most clients list the tools long before they call
 * one, and many only check that the server is there. Any unusual message is left to the full server.
 */
export class InitializeAnswers {
  readonly #table: McpTable
  readonly #instructions: string
  readonly tools: McpTable['tools']
  #opened = false
  #client: InitializedClient | undefined

  constructor(table: McpTable, toolset: Toolset) {
    this.#table = table
    const { instructions, tools } = table.toolsets[toolset]
    this.#instructions = instructions
    this.tools = tools.flatMap((name) => table.tools.filter((tool) => tool.name === name))
  }

  /** The client, if it opened the connection in the usual way of the 2025 era. */
  get client(): InitializedClient | undefined {
    return this.#client
  }

  /** Undefined if the full server must take this message and all that follow. */
  answer(message: unknown): TableAnswer | undefined {
    if (!isObject(message) || message['jsonrpc'] !== '2.0') return undefined
    const { id, method, params = {} } = message
    if (!isObject(params) || !isPlain(params['_meta'])) return undefined
    if (id === undefined)
      return method === 'notifications/initialized' && this.#opened ? { opening: true } : undefined
    if (typeof id !== 'string' && typeof id !== 'number') return undefined
    const result = this.#resultOf(method, params)
    if (!result) return undefined
    return { answer: { jsonrpc: '2.0', id, result }, opening: method === 'initialize' }
  }

  #resultOf(method: unknown, params: Readonly<Record<string, unknown>>): object | undefined {
    if (!this.#opened) return method === 'initialize' ? this.#open(params) : undefined
    const hasNoParams = Object.keys(params).every((key) => key === '_meta')
    if (method === 'ping' && hasNoParams) return {}
    return method === 'tools/list' && hasNoParams ? { tools: this.tools } : undefined
  }

  #open({
    protocolVersion,
    clientInfo,
    capabilities,
  }: Readonly<Record<string, unknown>>): object | undefined {
    if (typeof protocolVersion !== 'string' || !isObject(capabilities)) return undefined
    if (
      !isObject(clientInfo) ||
      [clientInfo['name'], clientInfo['version']].some((field) => typeof field !== 'string')
    )
      return undefined
    this.#opened = true
    this.#client = { name: String(clientInfo['name']), elicitation: capabilities['elicitation'] }
    const { versions, initialize } = this.#table
    return {
      protocolVersion: versions.includes(protocolVersion) ? protocolVersion : versions[0],
      ...initialize,
      instructions: this.#instructions,
      serverInfo: { ...initialize.serverInfo, version: VERSION },
    }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Clients of the newer era put their protocol version in `_meta`. */
function isPlain(meta: unknown): boolean {
  return meta === undefined || (isObject(meta) && Object.keys(meta).every((key) => key === 'progressToken'))
}
