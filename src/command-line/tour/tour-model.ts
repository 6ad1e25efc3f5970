import type { ModelRequest } from '../../demo/scripted-model.ts'
import { type Reply, say, type Scenario, tools } from '../../demo/scenario.ts'
import { STEPS } from './tour-script.ts'

/** What the scripted model says in the tour: each request holds the conversation, and that says which reply is next. */
export const TOUR_SCENARIO: Scenario = { main: replyTo }

function replyTo({ body, toolResults }: ModelRequest): Reply {
  const { messages } = body
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && STEPS.some(({ prompt }) => textOf(content).includes(prompt)),
  )
  const step = STEPS.find(({ prompt }) => textOf(messages[asked]?.content).includes(prompt))
  if (!step) return say('This is a script, and it has no answer to that.')
  const done = messages.slice(asked).filter(({ role }) => role === 'assistant').length
  const [result] = toolResults
  if (result?.isError) return say('Then I leave it.')
  const call = step.calls[done]?.(planFileIn(textOf(body)))
  if (!call) return say(step.reply.replace('CHOICE', choiceIn(result?.text ?? '')))
  return done === 0 ? tools({ type: 'text', text: step.text }, call) : tools(call)
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

/** The CLI names the file in a reminder. */
export function planFileIn(body: string): string {
  return /[^\s"'`\\]+\/plans\/[^\s"'`\\]+\.md/.exec(body)?.[0] ?? 'plan.md'
}

/** Such as `"Which database?"="SQLite"`. */
function choiceIn(result: string): string {
  return /"="([^"]+)"/.exec(result)?.[1] ?? 'your own way'
}
