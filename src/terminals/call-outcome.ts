import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { z } from 'zod'
import { isSameJson } from '../text/same-json.ts'

/** A call that a terminal asks about, as its hook described it: without the id of the call. */
export interface AskedCall {
  readonly toolName: string
  readonly input: unknown
  /** When it was asked, in milliseconds since 1970. */
  readonly askedAt: number
}

/** What the transcript says of a call: nothing yet, that it is over, or that a hook has decided it. */
type CallOutcome = 'open' | 'over' | 'decided by a hook'

const Part = z.object({
  type: z.string(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
})
const Line = z.object({
  timestamp: z.string().optional().catch(undefined),
  message: z
    .object({ content: z.array(z.unknown()) })
    .optional()
    .catch(undefined),
  attachment: z
    .object({ type: z.string(), toolUseID: z.string(), hookEvent: z.string().optional() })
    .optional()
    .catch(undefined),
  permissionDecision: z.object({ source: z.string() }).optional().catch(undefined),
})

/** Reads it from the lines of a transcript, oldest first. Pure. */
export function callOutcomeIn(lines: readonly string[], call: AskedCall): CallOutcome {
  const ids = new Set<string>()
  const byHook = new Set<string>()
  let outcome: CallOutcome = 'open'
  for (const text of lines) {
    const line = parsed(text)
    const { attachment } = line ?? {}
    if (attachment?.type === 'hook_permission_decision') byHook.add(attachment.toolUseID)
    for (const part of partsOf(line)) {
      if (part.type === 'tool_use' && part.id !== undefined && isCall(part, call)) ids.add(part.id)
      // An equal call may have ended before this one was asked.
      const { tool_use_id: id } = part
      if (part.type !== 'tool_result' || id === undefined || !ids.has(id) || !isAfter(line, call)) continue
      outcome = byHook.has(id) || line?.permissionDecision?.source === 'hook' ? 'decided by a hook' : 'over'
    }
    if (
      attachment &&
      ids.has(attachment.toolUseID) &&
      byHook.has(attachment.toolUseID) &&
      isAfter(line, call)
    )
      outcome = 'decided by a hook'
  }
  return outcome
}

/** Reads the end of a transcript again and again, for one call. */
export class CallReader {
  readonly #path: string
  readonly #call: AskedCall
  #size = -1
  #outcome: CallOutcome = 'open'

  constructor(path: string, call: AskedCall) {
    this.#path = path
    this.#call = call
  }

  /** `open` also if there is no such file, or the call is too far from its end. */
  async read(): Promise<CallOutcome> {
    // The path comes from outside: a pipe must not hold us, and a file may be large.
    const file = await open(this.#path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
    if (!file) return this.#outcome
    try {
      const stat = await file.stat()
      if (!stat.isFile() || stat.size === this.#size) return this.#outcome
      this.#outcome = callOutcomeIn(await lastLines(file, stat.size), this.#call)
      this.#size = stat.size
      return this.#outcome
    } finally {
      await file.close()
    }
  }
}

async function lastLines(file: FileHandle, size: number): Promise<string[]> {
  const start = Math.max(0, size - TAIL_BYTES)
  const buffer = Buffer.allocUnsafe(size - start)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
  return start === 0 ? lines : lines.slice(1)
}

function parsed(text: string): z.infer<typeof Line> | undefined {
  // Most lines are neither.
  if (!text.includes('tool_') && !text.includes('hook_permission_decision')) return undefined
  try {
    return Line.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function partsOf(line: z.infer<typeof Line> | undefined): z.infer<typeof Part>[] {
  return line?.message?.content.flatMap((part) => Part.safeParse(part).data ?? []) ?? []
}

/** A hook is given the text of a plan, which is in a file; the call itself is empty. */
function isCall({ name, input }: z.infer<typeof Part>, call: AskedCall): boolean {
  return name === call.toolName && (name === 'ExitPlanMode' || isSameJson(input, call.input))
}

/** A line without a time is no step of the conversation: 2.1.325 also notes what it sends to the model, results of earlier calls included. */
function isAfter(line: z.infer<typeof Line> | undefined, { askedAt }: AskedCall): boolean {
  return line?.timestamp !== undefined && Date.parse(line.timestamp) >= askedAt
}

const TAIL_BYTES = 1024 * 1024
