/** The parent as a model that speaks Anthropic's Messages. */
import { onTestFinished } from 'vitest'
import { type RequestBody, toolResultsIn } from '../../../src/demo/model-request.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { startScriptedModel } from '../../../src/demo/scripted-model.ts'
import type { ToolResult } from '../parent.ts'
import type { Parent } from '../stage.ts'
import { fullName } from './tool-names.ts'

/** Where it listens, for ANTHROPIC_BASE_URL. */
export async function anthropicParent(parent: Parent): Promise<string> {
  const model = await startScriptedModel({
    main: ({ body }) => {
      const next = parent.next(resultsIn(body))
      if ('say' in next) return say(next.say)
      const offered = body.tools.flatMap(({ name }) => name ?? [])
      return tools(use(fullName(offered, next.tool, 'mcp__plexus__'), next.input))
    },
  })
  onTestFinished(() => model.close())
  return model.url
}

const resultsIn = (body: RequestBody): ToolResult[] =>
  body.messages
    .filter(({ role }) => role === 'user')
    .flatMap((message) => toolResultsIn({ ...body, messages: [message] }))
