/** Gemini's generateContent, whole and as a stream. */
import { type Body, bodyOf, listOf } from './body.ts'
import type { Dialect } from './model-server.ts'
import { fullName } from './tool-names.ts'

const namesIn = (body: Body): string[] =>
  listOf(body['tools'])
    .flatMap((tool) => listOf(tool['functionDeclarations']))
    .map(({ name }) => String(name))

export const gemini: Dialect = {
  path: /:(?:streamG|g)enerateContent/,
  results: (body) =>
    namesIn(body).length === 0
      ? undefined
      : listOf(body['contents'])
          .flatMap(({ parts }) => listOf(parts))
          .flatMap(({ functionResponse }) =>
            functionResponse
              ? [{ text: JSON.stringify(bodyOf(functionResponse)['response']), isError: false }]
              : [],
          ),
  reply: (next, body, path) => {
    const part =
      'say' in next
        ? { text: next.say }
        : { functionCall: { name: fullName(namesIn(body), next.tool), args: next.input } }
    const event = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: 'scripted',
    }
    return { events: [event], isStream: path.includes(':stream') }
  },
}
