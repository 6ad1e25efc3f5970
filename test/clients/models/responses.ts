/** OpenAI's Responses. */
import type { Next } from '../parent.ts'
import { type Body, listOf, newId, textOf } from './body.ts'
import type { Dialect } from './model-server.ts'
import { fullName } from './tool-names.ts'

interface Offered {
  readonly name: string
  /** Some clients put the tools of a server into a space with its name. */
  readonly namespace?: string
}

const offeredIn = (body: Body): Offered[] =>
  listOf(body['tools']).flatMap((tool) =>
    tool['type'] === 'namespace'
      ? listOf(tool['tools']).map(({ name }) => ({ name: String(name), namespace: String(tool['name']) }))
      : [{ name: String(tool['name']) }],
  )

export const responses: Dialect = {
  path: /\/responses/,
  results: (body) =>
    offeredIn(body).length === 0
      ? undefined
      : listOf(body['input'])
          .filter(({ type }) => type === 'function_call_output')
          .map(({ output }) => ({ text: textOf(output), isError: false })),
  reply: (next, body) => {
    const item = itemOf(next, offeredIn(body))
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    }
    const response = {
      id: newId('resp'),
      object: 'response',
      created_at: 1_790_000_000,
      model: 'scripted',
      status: 'completed',
      output: [item],
      parallel_tool_calls: false,
      tools: [],
      usage,
    }
    if (body['stream'] !== true) return { events: [response], isStream: false }
    const begun = { ...response, status: 'in_progress', output: [], usage: null }
    const events = [
      { type: 'response.created', response: begun },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ]
    return {
      events: events.map((event, sequence_number) => ({ ...event, sequence_number })),
      isStream: true,
      isNamed: true,
    }
  },
}

function itemOf(next: Next, offered: readonly Offered[]): object {
  if ('say' in next)
    return {
      type: 'message',
      id: newId('msg'),
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: next.say, annotations: [] }],
    }
  const names = offered.map(({ name }) => name)
  const name = fullName(names, next.tool)
  const namespace = offered.find((one) => one.name === name)?.namespace
  return {
    type: 'function_call',
    id: newId('fc'),
    call_id: newId('call'),
    status: 'completed',
    name,
    ...(namespace ? { namespace } : {}),
    arguments: JSON.stringify(next.input),
  }
}
