import { z } from 'zod'
import { parseJson } from '../text/json-text.ts'

const ContentBlock = z.looseObject({ type: z.string() })
const Content = z.union([z.string(), z.array(ContentBlock)])
type Content = z.infer<typeof Content>

/** The schema is loose, because the CLI adds fields with every version. */
export const RequestBody = z.looseObject({
  model: z.string().default(''),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({ role: z.string(), content: Content })).default([]),
  system: z.unknown().optional(),
  tools: z.array(z.looseObject({ name: z.string().optional() })).default([]),
  tool_choice: z.unknown().optional(),
  output_config: z.looseObject({ format: z.unknown().optional() }).optional(),
  metadata: z.looseObject({ user_id: z.string().optional() }).optional(),
})
export type RequestBody = z.infer<typeof RequestBody>

/** A request as the scripted model parsed it. */
export interface ModelRequest {
  /** `side` is everything that is not a turn of a conversation: probes, token counts, titles, summaries. */
  kind: 'main' | 'agent' | 'side'
  /** The key of `scenario.agents` that this sub-agent's first message contains. */
  agent?: string
  /** The CLI's id of the sub-agent. */
  agentId?: string
  sessionId?: string
  method: string
  path: string
  body: RequestBody
  /** Size of the body as received. */
  bytes: number
  /** Text of the last user message, without the reminders that the CLI adds. */
  lastUserText: string
  /** Tool results in the last user message. */
  toolResults: ToolResult[]
  /** The connection ended before the reply did: the client disconnected, or the script cut it. */
  aborted: boolean
}

export interface ToolResult {
  toolUseId: string
  text: string
  isError: boolean
}

/** Never throws: anything but a Messages API body becomes an empty body. */
export function bodyFrom(text: string): RequestBody {
  const parsed = RequestBody.safeParse(parseJson(text))
  return parsed.success ? parsed.data : RequestBody.parse({})
}

export function firstUserText(body: RequestBody): string {
  return withoutReminders(textOf(body.messages.find(({ role }) => role === 'user')?.content))
}

export function lastUserText(body: RequestBody): string {
  return withoutReminders(rawLastUserText(body))
}

/** With the reminders, because some side calls differ only in these. */
export function rawLastUserText(body: RequestBody): string {
  return textOf(lastUserContent(body))
}

export function toolResultsIn(body: RequestBody): ToolResult[] {
  const content = lastUserContent(body)
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => {
    const result = ToolResultBlock.safeParse(block)
    if (!result.success) return []
    const { tool_use_id, content: inner, is_error } = result.data
    return [{ toolUseId: tool_use_id, text: textOf(inner), isError: is_error }]
  })
}

const ToolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: Content.default(''),
  is_error: z.boolean().default(false),
})

function lastUserContent(body: RequestBody): Content | undefined {
  return body.messages.findLast(({ role }) => role === 'user')?.content
}

function textOf(content: Content | undefined): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return content
  return content
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
}

/** Some turns consist of a reminder alone (a background task has ended); then the reminder is the text. */
function withoutReminders(text: string): string {
  const said = text.replaceAll(/<system-reminder>[^]*?<\/system-reminder>/g, '').trim()
  return said === '' ? text : said
}
