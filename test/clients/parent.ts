/** A parent that supervises one session by the tools of Plexus: what it does next, by what it was answered so far. */

export interface ToolResult {
  readonly text: string
  readonly isError: boolean
}
export type Next =
  | { readonly tool: string; readonly input: Record<string, unknown> }
  | { readonly say: string }

/** What a parent does next, by all that its tools have said so far. */
export type Plan = (results: readonly ToolResult[]) => Next

const TASK = 'Make two files.'
/** What the session runs; the parent allows the one and denies the other. */
export const ALLOWED = 'touch allowed'
export const DENIED = 'touch denied'
export const CHILD_SAYS = 'I am through.'
export const FINAL = `My session says: ${CHILD_SAYS}`

/** Long enough for every question to come within the call. */
const WAIT_SECONDS = 30
/** A parent that was given so many errors gives up. */
export const PATIENCE = 30

export function nextOf(results: readonly ToolResult[], workingDirectory: string): Next {
  const last = results.at(-1)
  if (!last) return begin(workingDirectory)
  const view = viewIn(last.text)
  if (!view) {
    const lost = results.filter(({ text }) => !viewIn(text)).length
    // What became of the call is not known, nor is the session: ask for any.
    return lost < PATIENCE ? waitFor(undefined) : { say: `I give up: ${last.text.slice(0, 300)}` }
  }
  const asked = questionIn(view)
  if (asked) {
    const answers = [asked.command === ALLOWED ? 'allow' : 'deny']
    return { tool: 'claude_respond', input: { sessionId: asked.sessionId, id: asked.id, answers } }
  }
  const sessionId = sessionIn(view) ?? lastSession(results)
  // There is none: the first call never came to Plexus.
  if (!sessionId && Array.isArray(view['sessions'])) return begin(workingDirectory)
  if (view['status'] === 'active' || view['status'] === 'awaiting_input') return waitFor(sessionId)
  return { say: `My session says: ${textOf(sessionViews(view)[0]?.['result'] ?? view['hint'])}` }
}

const begin = (workingDirectory: string): Next => ({
  tool: 'claude_start',
  input: { prompt: TASK, workingDirectory, waitSeconds: WAIT_SECONDS },
})

const waitFor = (sessionId: string | undefined): Next => ({
  tool: 'claude_status',
  input: { ...(sessionId ? { sessionId } : {}), waitSeconds: WAIT_SECONDS },
})

export type View = Record<string, unknown>

export interface SeenQuestion {
  readonly sessionId: string
  readonly id: string
  readonly command: unknown
}

/** The question that a result shows. */
export function questionIn(view: View): SeenQuestion | undefined {
  for (const { sessionId, pendingQuestion } of sessionViews(view))
    if (isView(pendingQuestion)) {
      const { id, input } = pendingQuestion
      const command = isView(input) ? input['command'] : undefined
      return { sessionId: textOf(sessionId), id: textOf(id), command }
    }
  return undefined
}

export const sessionIn = (view: View): string | undefined => {
  const id = sessionViews(view)[0]?.['sessionId']
  return typeof id === 'string' ? id : undefined
}

const lastSession = (results: readonly ToolResult[]): string | undefined =>
  results
    .toReversed()
    .flatMap(({ text }) => sessionIn(viewIn(text) ?? {}) ?? [])
    .at(0)

/** Without a session's id a status lists those that need somebody. */
const sessionViews = (view: View): View[] =>
  Array.isArray(view['sessions']) && view['sessions'].length > 0 ? view['sessions'].filter(isView) : [view]

/** What Plexus said, however the client has wrapped it. */
export function viewIn(text: string): View | undefined {
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    const found = viewWithin(objectAt(text, at))
    if (found) return found
  }
  return undefined
}

function viewWithin(value: unknown): View | undefined {
  if (typeof value === 'string') return value.includes('"status"') ? viewIn(value) : undefined
  if (Array.isArray(value)) return value.map(viewWithin).find((one) => one !== undefined)
  if (!isView(value)) return undefined
  if (typeof value['status'] === 'string' && ('hint' in value || 'sessionId' in value)) return value
  return viewWithin(Object.values(value))
}

/** The JSON object that begins there. */
function objectAt(text: string, start: number): unknown {
  let depth = 0
  let isText = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (isText && char === '\\') at++
    else if (char === '"') isText = !isText
    else if (!isText && char === '{') depth++
    else if (!isText && char === '}' && --depth === 0) return jsonOf(text.slice(start, at + 1))
  }
  return undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isView = (value: unknown): value is View =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
