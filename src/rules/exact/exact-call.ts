import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../text/json-text.ts'

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
  if (toolName !== call.toolName) return false
  if (subject !== subjectOf(call) && !(isFile({ toolName, subject }) && subject === fileOf(call)))
    return false
  return folder === undefined || folder === call.cwd
}

/** Older versions remembered a change of a file by its path alone. Such a rule still allows every change, and its text says so. */
function isFile({ toolName, subject }: Pick<ExactCall, 'toolName' | 'subject'>): boolean {
  return CHANGES.includes(toolName) && !subject.startsWith('{')
}

/** In one line, with as much of a long subject as a person can read. */
export function exactCallText({ toolName, subject, folder }: ExactCall): string {
  const changed = CHANGES.includes(toolName) ? changedFile(subject) : undefined
  if (changed !== undefined)
    return [`exactly this ${toolName} of ${JSON.stringify(changed)}`, ...inFolder(folder)].join(', ')
  const length = subject.length
  const text = length > MAX_SUBJECT ? `${subject.slice(0, MAX_SUBJECT)} (of ${length} characters)` : subject
  const how = isFile({ toolName, subject }) ? `every ${toolName} of` : `exactly ${toolName}`
  return [`${how} ${JSON.stringify(text)}`, ...inFolder(folder)].join(', ')
}

const inFolder = (folder: string | undefined): string[] =>
  folder === undefined ? [] : [`in exactly folder ${JSON.stringify(folder)}`]

/** A person reads the file; the change itself may be long, and was shown with the question. */
function changedFile(subject: string): string | undefined {
  return isFile({ toolName: 'Edit', subject }) ? undefined : fileOf({ input: parseJson(subject) })
}

/**
 * The part of a call that must match: for a command, what is read and what is fetched, the command, file or address; for any
 * other tool its whole input, because any field may matter (another change of the same file, the same address with
 * another method, the same command outside its sandbox).
 */
function subjectOf(call: Call): string {
  const part = partOf(call)
  // A command such as `{"command":…}` must not stand for the whole input that it looks like.
  return part === undefined || part.startsWith('{') ? (JSON.stringify(call.input) ?? '') : part
}

function partOf({ toolName, input }: Call): string | undefined {
  switch (toolName) {
    case 'Bash':
      return PlainCommand.safeParse(input).data?.command
    case 'Read':
      return fileOf({ input })
    case 'WebFetch':
      return Subject.safeParse(input).data?.url
    default:
      return undefined
  }
}

/** Whether the call could mean something else in another folder. True unless it is known to be the same everywhere. */
function dependsOnFolder({ toolName, input }: Call): boolean {
  if (toolName.startsWith('mcp__') || toolName === 'WebFetch' || toolName === 'WebSearch') return false
  if (toolName !== 'Read' && !CHANGES.includes(toolName)) return true
  const path = fileOf({ input })
  return path === undefined || !isAbsolute(path)
}

function fileOf({ input }: Pick<Call, 'input'>): string | undefined {
  return Subject.safeParse(input).data?.file_path
}

const CHANGES = ['Write', 'Edit']
const PlainCommand = z.strictObject({
  command: z.string(),
  description: z.unknown().optional(),
  timeout: z.unknown().optional(),
})
const Subject = z.object({ file_path: z.string().optional(), url: z.string().optional() })
const MAX_SUBJECT = 2_000
