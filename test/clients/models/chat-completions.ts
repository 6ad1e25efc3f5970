/** OpenAI's Chat Completions. */
import { type Body, bodyOf, listOf, newId, textOf } from './body.ts'
import type { Dialect } from './model-server.ts'
import { fullName } from './tool-names.ts'

const namesIn = (body: Body): string[] =>
  listOf(body['tools']).map((tool) => String(bodyOf(tool['function'])['name']))

/** Some clients keep tools back: they are found by one tool and called by another. */
const KEPT_BACK = ['claude_start', 'claude_status', 'claude_respond'].map((tool) => `mcp__plexus__${tool}`)

export const chatCompletions: Dialect = {
  path: /\/chat\/completions/,
  results: (body) =>
    namesIn(body).length === 0
      ? undefined
      : listOf(body['messages'])
          .filter(({ role, tool_call_id }) => role === 'tool' && !isSearch(tool_call_id))
          .map(({ content }) => ({ text: textOf(content), isError: false })),
  reply: (next, body) => {
    const isStream = body['stream'] === true
    const message =
      'say' in next
        ? { role: 'assistant', content: next.say }
        : { role: 'assistant', content: null, tool_calls: [callFor(next.tool, next.input, body)] }
    const finish_reason = 'say' in next ? 'stop' : 'tool_calls'
    const facts = {
      id: newId('chatcmpl'),
      created: 1_790_000_000,
      model: 'scripted',
      system_fingerprint: 'scripted',
    }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    if (!isStream)
      return {
        events: [
          { ...facts, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage },
        ],
        isStream,
      }
    const chunk = { ...facts, object: 'chat.completion.chunk' }
    return {
      events: [
        { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
        { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
        { ...chunk, choices: [], usage },
      ],
      isStream,
      last: '[DONE]',
    }
  },
}

function callFor(tool: string, input: object, body: Body): object {
  const offered = namesIn(body)
  const name = fullName(offered, tool)
  if (offered.includes(name) || !offered.includes('tool_search')) return callOf(name, input)
  return listOf(body['messages']).some(({ tool_call_id }) => isSearch(tool_call_id))
    ? callOf('tool_call', { name: `mcp__plexus__${tool}`, arguments: input })
    : { ...callOf('tool_search', { query: `select:${KEPT_BACK.join(',')}` }), id: newId('search') }
}

const isSearch = (id: unknown): boolean => String(id).startsWith('search_')

const callOf = (name: string, input: object) => ({
  index: 0,
  id: newId('call'),
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})
