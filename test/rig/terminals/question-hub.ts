/** A small hub for relays, which the test answers for. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { eventually } from '../tools/eventually.ts'

/** A question that a relay holds open. */
export interface HeldQuestion {
  readonly cliPid: number
  readonly ask: string
  readonly input: Readonly<Record<string, unknown>>
  readonly isOpen: () => boolean
  readonly answer: (output: object) => void
}

export async function questionHub(socket: string) {
  const questions: HeldQuestion[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => questions.push(held(request.headers, body, response)))
  })
  server.listen(socket)
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await once(server.close(), 'close')
  }
  onTestFinished(close)
  return { questions, close }
}

function held(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  response: ServerResponse,
): HeldQuestion {
  let isOpen = true
  response.on('close', () => (isOpen = false))
  return {
    cliPid: Number(headers['x-plexus-cli-pid']),
    ask: String(headers['x-plexus-ask']),
    input: JSON.parse(body) as Record<string, unknown>,
    isOpen: () => isOpen,
    answer: (output) => void response.end(JSON.stringify(output)),
  }
}

export const decision = (behavior: 'allow' | 'deny', more: object = {}) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, ...more } },
})

/** The question that was asked as such, counted from 0, once it is there. */
export function nth(asked: readonly HeldQuestion[], index: number): Promise<HeldQuestion> {
  return eventually(() => {
    const found = asked[index]
    if (found === undefined) throw new Error(`There are ${asked.length} questions.`)
    return found
  })
}
