import { isAbsolute } from 'node:path'
import { z } from 'zod'

/** A call of which nothing may differ: what an answer can remember. No file can say it. */
export interface ExactCall {
  readonly toolName: string
  readonly subject: string
  /** The call means something else in another folder, and is remembered for this one. */
  readonly folder?: string | undefined
}

/** A call, and the folder in which it runs, if known. */
interface Call {
  readonly toolName: string
  readonly input: unknown
  readonly cwd?: string | undefined
}

/** Undefined if the folder matters and is not known. Pure. */
export function exactCallOf(call: Call): ExactCall | undefined {
  const exact = { toolName: call.toolName, subject: subjectOf(call) }
  if (!dependsOnFolder(call)) return exact
  return call.cwd === undefined ? undefined : { ...exact, folder: call.cwd }
}

export function isExactly({ toolName, subject, folder }: ExactCall, call: Call): boolean {
  if (toolName !== call.toolName || subject !== subjectOf(call)) return false
  return folder === undefined || folder === call.cwd
}

/** In one line, with as much of a long subject as a person can read. */
export function exactCallText({ toolName, subject, folder }: ExactCall): string {
  const length = subject.length
  const text = length > MAX_SUBJECT ? `${subject.slice(0, MAX_SUBJECT)} (of ${length} characters)` : subject
  const where = folder === undefined ? [] : [`in exactly folder ${JSON.stringify(folder)}`]
  return [`exactly ${toolName} ${JSON.stringify(text)}`, ...where].join(', ')
}

/**
 * The part of a call that must match: for the CLI's own tools the command, file or address; for any other tool its whole
 * input, because any field may matter (the same address with another method, the same command outside its sandbox).
 */
function subjectOf({ toolName, input }: Call): string {
  const { file_path: path, url } = Subject.safeParse(input).data ?? {}
  const whole = JSON.stringify(input) ?? ''
  switch (toolName) {
    case 'Bash':
      return PlainCommand.safeParse(input).data?.command ?? whole
    case 'Read':
    case 'Write':
    case 'Edit':
      return path ?? whole
    case 'WebFetch':
      return url ?? whole
    default:
      return whole
  }
}

/** Whether the call could mean something else in another folder. True unless it is known to be the same everywhere. */
function dependsOnFolder({ toolName, input }: Call): boolean {
  if (toolName.startsWith('mcp__') || toolName === 'WebFetch' || toolName === 'WebSearch') return false
  const { file_path: path } = Subject.safeParse(input).data ?? {}
  return !(['Read', 'Write', 'Edit'].includes(toolName) && path !== undefined && isAbsolute(path))
}

const PlainCommand = z.strictObject({
  command: z.string(),
  description: z.unknown().optional(),
  timeout: z.unknown().optional(),
})
const Subject = z.object({ file_path: z.string().optional(), url: z.string().optional() })
const MAX_SUBJECT = 2_000
