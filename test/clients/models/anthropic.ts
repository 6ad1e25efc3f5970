/** Anthropic's Messages, as our own scripted model writes them. */
import { bodyFrom, toolResultsIn } from '../../../src/demo/model-request.ts'
import { modelRequestFrom } from '../../../src/demo/request-kind.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { framesOf, wholeMessageOf } from '../../../src/demo/sse-messages.ts'
import { newId } from './body.ts'
import type { Dialect } from './model-server.ts'
import { fullName } from './tool-names.ts'

export const anthropic: Dialect = {
  path: /\/v1\/messages(?:\?|$)/,
  results: (sent) => {
    const body = bodyFrom(JSON.stringify(sent))
    const request = { method: 'POST', path: '/v1/messages', headers: {}, body, bytes: 0 }
    if (modelRequestFrom(request).kind !== 'main') return undefined
    return body.messages
      .filter(({ role }) => role === 'user')
      .flatMap((message) => toolResultsIn({ ...body, messages: [message] }))
  },
  reply: (next, sent) => {
    const body = bodyFrom(JSON.stringify(sent))
    const offered = body.tools.flatMap(({ name }) => name ?? [])
    const message =
      'say' in next ? say(next.say) : tools(use(fullName(offered, next.tool, 'mcp__plexus__'), next.input))
    const facts = { newId, model: body.model, inputTokens: 1 }
    return body.stream
      ? { events: framesOf(message, facts).map(({ event }) => event), isStream: true, isNamed: true }
      : { events: [wholeMessageOf(message, facts)], isStream: false }
  },
}
