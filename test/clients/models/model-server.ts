/** The parent as a model that speaks the dialects of Anthropic, OpenAI and Gemini; which one, the path says. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Next, ToolResult } from '../parent.ts'
import type { Parent } from '../stage.ts'
import { anthropic } from './anthropic.ts'
import { chatCompletions } from './chat-completions.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'

export interface Dialect {
  readonly path: RegExp
  /** What the tools have said so far; undefined where a client asks for something beside its conversation, such as a title. */
  readonly results: (body: Body) => readonly ToolResult[] | undefined
  readonly reply: (next: Next, body: Body, path: string) => Reply
}
type Body = Record<string, unknown>
interface Reply {
  /** The events of a stream, or the one whole answer. */
  readonly events: readonly object[]
  readonly isStream: boolean
  /** Names each event by its type, as Responses does. */
  readonly isNamed?: boolean
  /** What ends a stream. */
  readonly last?: string
}

const DIALECTS = [anthropic, chatCompletions, responses, gemini]

/** `http://127.0.0.1:PORT`; what it was asked goes to the log of the run. */
export async function modelParent(parent: Parent, note: (text: string) => void): Promise<string> {
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      note(`\n--- the model failed: ${String(error)}\n`)
      response.destroy()
    })
  })
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const received = await text(request)
    note(`\n--- ${request.method} ${path} ${received.slice(0, 100_000)}\n`)
    const dialect = DIALECTS.find((one) => one.path.test(path))
    if (request.method !== 'POST' || !dialect) return asked(response, path)
    const body = JSON.parse(received) as Body
    const results = dialect.results(body)
    write(response, dialect.reply(results ? await parent.next(results) : { say: 'ok' }, body, path))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

/** Some clients ask which models there are. */
function asked(response: ServerResponse, path: string): void {
  const models = {
    object: 'list',
    data: [{ id: 'scripted', object: 'model', owned_by: 'nobody' }],
    models: [],
  }
  response.writeHead(path.includes('/models') ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(path.includes('/models') ? models : { error: { message: 'Not here.' } }))
}

function write(response: ServerResponse, { events, isStream, isNamed = false, last }: Reply): void {
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
  if (!isStream) return void response.end(JSON.stringify(events[0]))
  for (const event of events) {
    const name = isNamed && 'type' in event ? `event: ${String(event.type)}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(last ? `data: ${last}\n\n` : '')
}
