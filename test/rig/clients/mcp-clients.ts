/** Clients of MCP that nobody here wrote, spoken to in one way. */
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttp,
  type Transport as NewTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { WebHandler } from '../../../src/transports/http/web-request.ts'
import { programPath } from '../tools/build-programs.ts'
import type { HubPlace } from '../hubs/hub.ts'
import { newValidator, oldValidator } from './lazy-validator.ts'

/** `sdk 1` and `2025` speak 2025-11-25, `2026` the newest. */
export const clients = ['sdk 1', '2025', '2026'] as const
export type ClientKind = (typeof clients)[number]

export interface McpClient {
  readonly tools: () => Promise<readonly { name: string }[]>
  /** The structured result; an error of the tool is thrown with its code. */
  readonly call: <T>(name: string, input?: object) => Promise<T>
  /** Everything that came back, text by text. */
  readonly texts: (name: string, input?: object) => Promise<string[]>
  readonly resources: () => Promise<readonly { uri: string }[]>
  readonly templates: () => Promise<readonly { uriTemplate: string }[]>
  /** The text of a resource. */
  readonly read: (uri: string) => Promise<string>
  /** Subscribes to these. */
  readonly subscribe: (...uris: string[]) => Promise<void>
  /** What it was notified of: URIs, and `list` when the list has changed. */
  readonly notified: readonly string[]
  readonly close: () => Promise<void>
}

export interface Form {
  readonly message: string
  readonly requestedSchema: {
    readonly properties: Record<string, Record<string, unknown>>
    readonly required?: string[]
  }
}
export interface Filled {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Record<string, string | number | boolean | string[]>
}
/** The person at a client; its signal says that the form is taken back. */
export type Person = (form: Form, signal: AbortSignal) => Promise<Filled> | Filled

const ME = { name: 'test', version: '0' }
const LONG = { timeout: 120_000 }
/** As they are, but for the number: they try twice, and a busy machine may take longer to start a hub. */
const reconnectionOptions = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 10,
}

interface HttpHow {
  /** Whom the connection is configured to ask; if it has a person, both. */
  readonly ask?: string | undefined
  readonly tools?: string | undefined
  readonly headers?: Record<string, string>
}

/** With all tools, where a test does not say which it wants. */
export async function httpClient(
  kind: ClientKind,
  { url, token }: { url: string; token: string },
  person?: Person,
  { ask = person ? 'both' : undefined, tools = 'all', headers = {} }: HttpHow = {},
): Promise<McpClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } }
  const query = new URLSearchParams({
    ...(ask === undefined ? {} : { ask }),
    ...(tools === '' ? {} : { tools }),
  })
  const at = new URL(`${url}/mcp?${query.toString()}`)
  return kind === 'sdk 1'
    ? oldClient(new OldHttp(at, { requestInit, reconnectionOptions }), person)
    : newClient(kind, new NewHttp(at, { requestInit, reconnectionOptions }), person)
}

/** A client of a hub that is only a handler of requests: nothing goes over a wire. */
export function webClient(
  kind: '2025' | '2026',
  handler: WebHandler,
  { person, query = '' }: { person: Person; query?: string },
): Promise<McpClient> {
  const requestInit = { headers: { authorization: 'Bearer any' } }
  const fetch = (url: string | URL, init?: RequestInit) => handler(new Request(url, init))
  return newClient(kind, new NewHttp(new URL(`http://127.0.0.1/mcp${query}`), { requestInit, fetch }), person)
}

/** A client that starts `plexus mcp` itself, as clients do; the process is gone when the test is over. */
export function stdioClient(kind: ClientKind, place: HubPlace, ...args: string[]): Promise<StdioClient> {
  return stdioClientWith(kind, place, { args })
}

export interface StdioClient extends McpClient {
  readonly pid: number
}

/** The same with a person to ask; the connection is configured for that, unless the arguments say otherwise. */
export async function stdioClientWith(
  kind: ClientKind,
  place: HubPlace,
  { person, args = [] }: { person?: Person; args?: readonly string[] },
): Promise<StdioClient> {
  const { env, project: cwd } = place
  const ask = person && !args.includes('--ask') ? ['--ask', 'both'] : []
  const all = [programPath('plexus'), 'mcp', '--home', place.home, ...ask, ...args]
  const how = { command: process.execPath, args: all, env, cwd, stderr: 'pipe' as const }
  place.startsHubs()
  const transport = kind === 'sdk 1' ? new OldStdio(how) : new NewStdio(how)
  transport.stderr?.on('data', (text: Buffer) => (place.stderr += text.toString()))
  const client = await (transport instanceof OldStdio
    ? oldClient(transport, person)
    : newClient(kind, transport, person))
  return { ...client, pid: transport.pid ?? 0 }
}

/** Over a transport that either generation can use. */
export function clientOver(kind: ClientKind, transport: NewTransport, person?: Person): Promise<McpClient> {
  return kind === 'sdk 1'
    ? oldClient(z.custom<OldTransport>().parse(transport), person)
    : newClient(kind, transport, person)
}

async function oldClient(transport: OldTransport, person: Person | undefined): Promise<McpClient> {
  const client = new OldClient(ME, {
    jsonSchemaValidator: oldValidator,
    ...(person ? { capabilities: { elicitation: {} } } : {}),
  })
  if (person)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => ({
      ...(await person(formOf(params), signal)),
    }))
  const notified: string[] = []
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void notified.push(params.uri),
  )
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void notified.push('list'))
  onTestFinished(() => client.close())
  await client.connect(transport)
  await client.listTools() // from here on it checks each result with the schema of its tool
  return speaking({
    tools: async () => (await client.listTools()).tools,
    call: (name, input) => client.callTool({ name, arguments: { ...input } }, undefined, LONG),
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    subscribe: async (...uris) => {
      for (const uri of uris) await client.subscribeResource({ uri })
    },
    notified,
    close: () => client.close(),
  })
}

async function newClient(
  kind: ClientKind,
  transport: NewTransport,
  person: Person | undefined,
): Promise<McpClient> {
  const client = new NewClient(ME, {
    jsonSchemaValidator: newValidator,
    versionNegotiation: { mode: kind === '2025' ? 'legacy' : 'auto' },
    ...(person ? { capabilities: { elicitation: { form: {} } } } : {}),
  })
  if (person)
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => ({
      ...(await person(formOf(params), mcpReq.signal)),
    }))
  const notified: string[] = []
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void notified.push(params.uri),
  )
  client.setNotificationHandler('notifications/resources/list_changed', () => void notified.push('list'))
  onTestFinished(() => client.close())
  await client.connect(transport)
  await client.listTools() // from here on it checks each result with the schema of its tool
  return speaking({
    tools: async () => (await client.listTools()).tools,
    call: (name, input) => client.callTool({ name, arguments: { ...input } }, LONG),
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    subscribe: async (...uris) => {
      if (kind === '2026') await client.listen({ resourcesListChanged: true, resourceSubscriptions: uris })
      else for (const uri of uris) await client.subscribeResource({ uri })
    },
    notified,
    close: () => client.close(),
  })
}

/** What came is what the test says it is. */
function formOf(params: object): Form {
  return z.custom<Form>().parse(params)
}

function textOf([content]: readonly object[]): string {
  return z.looseObject({ text: z.string() }).parse(content).text
}

interface Client extends Omit<McpClient, 'call' | 'texts'> {
  readonly call: (name: string, input: object) => Promise<object>
}

function speaking({ call, ...client }: Client): McpClient {
  return {
    ...client,
    call: (name, input = {}) => resultOf(call(name, input)),
    texts: async (name, input = {}) =>
      ((await call(name, input)) as ToolResult).content.map(({ text }) => text),
  }
}

async function resultOf(answer: Promise<object>): Promise<never> {
  const { content, structuredContent, isError } = (await answer) as ToolResult
  const text = JSON.parse(content[0]?.text ?? '') as { message: string }
  if (isError) throw Object.assign(new Error(text.message), text)
  return (structuredContent ?? text) as never
}

interface ToolResult {
  readonly content: readonly { text: string }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}
