import type { Toolset } from '../../api/operations.ts'
import { VERSION } from '../../base/version.ts'
import type { McpTable } from './tool-table.ts'

/** A request that can be answered by heart, and its answer; or a notification, which has none. */
export interface ByHeart {
  readonly answer?: object
  /** It belongs to how the connection was opened: whoever goes on with it has to know. */
  readonly opening: boolean
}

export interface OpenedBy {
  /** What the client calls itself. */
  readonly name: string
  /** Its capability of that name. */
  readonly elicitation: unknown
}

/**
 * The beginning of every connection of the 2025 era, answered from a table: most clients ask what there is long before they
 * use it, and many only to see whether we are there. Anything that is not exactly as usual is left to who knows better.
 */
export class OpeningAnswers {
  readonly #table: McpTable
  readonly #instructions: string
  readonly tools: McpTable['tools']
  #opened = false
  #client: OpenedBy | undefined

  constructor(table: McpTable, toolset: Toolset) {
    this.#table = table
    const { instructions, tools } = table.toolsets[toolset]
    this.#instructions = instructions
    this.tools = tools.flatMap((name) => table.tools.filter((tool) => tool.name === name))
  }

  /** Whoever has opened the connection, in the usual way of the 2025 era. */
  get client(): OpenedBy | undefined {
    return this.#client
  }

  /** Undefined when it has to be left to others, with all that follows. */
  answer(message: unknown): ByHeart | undefined {
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
    const isUsual = Object.keys(params).every((key) => key === '_meta')
    if (method === 'ping' && isUsual) return {}
    return method === 'tools/list' && isUsual ? { tools: this.tools } : undefined
  }

  #open({
    protocolVersion,
    clientInfo,
    capabilities,
  }: Readonly<Record<string, unknown>>): object | undefined {
    if (typeof protocolVersion !== 'string' || !isObject(capabilities)) return undefined
    if (
      !isObject(clientInfo) ||
      [clientInfo['name'], clientInfo['version']].some((one) => typeof one !== 'string')
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

/** The newer era says in there what it is. */
function isPlain(meta: unknown): boolean {
  return meta === undefined || (isObject(meta) && Object.keys(meta).every((key) => key === 'progressToken'))
}
