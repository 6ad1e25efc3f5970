import type { ModelRequest } from './model-request.ts'
import { isSideQuestion, isSummary } from './request-kind.ts'
import type { Message } from './scenario.ts'
import { say } from './scenario.ts'

/** The reply to a request outside the conversations of the CLI. Does not advance the scenario. */
export function sideMessageOf({ body }: ModelRequest): Message {
  if (isSummary(body))
    return say('<analysis>Scripted.</analysis>\n<summary>A scripted conversation.</summary>')
  if (isSideQuestion(body)) return say('The scripted model has no answer to side questions.')
  if (body.output_config?.format !== undefined) return say('{"title":"Scripted session"}')
  return say('ok')
}
