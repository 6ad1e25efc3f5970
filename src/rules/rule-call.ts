import { runsCommands } from '../shell/command-tools.ts'
import { CHANGING_TOOLS } from '../shell/file-tools.ts'
import type { ShellContext } from '../shell/harmless.ts'

/** A tool call that rules are asked about. */
export interface RuleCall {
  readonly toolName: string
  readonly input: unknown
  /** The folder of the child's shell, if it is known. */
  readonly cwd?: string | undefined
  readonly mode?: string | undefined
}

/** The session that makes the call, and what it runs in. */
export interface RuleContext {
  readonly place: ShellContext
  /** The folder that `~` stands for. */
  readonly userHome?: string | undefined
  /** The session itself, then its parent, and so on up. */
  readonly sessions: readonly { readonly id: string; readonly name?: string | undefined }[]
  /** The turn of the session that runs now. */
  readonly turn?: number | undefined
  /** The caller that started the tree. */
  readonly caller: string
  /** In ms since 1970. */
  readonly now: number
  /** Whether a command that is known to be harmless needs no rule of its own beside commands that have one. */
  readonly harmlessIsAllowed: boolean
}

/** What a call is about: the part that conditions of a rule are compared with. */
export type Subject =
  | { readonly kind: 'command'; readonly line: string | undefined; readonly plain: boolean }
  | { readonly kind: 'file'; readonly path: string | undefined }
  | { readonly kind: 'host'; readonly host: string | undefined }
  | { readonly kind: 'other' }

/** Tools that name a file or a folder, with the field that does. */
const PATH_FIELDS: ReadonlyMap<string, string> = new Map([
  ...['Read', 'NotebookRead', ...CHANGING_TOOLS].map((tool) => [tool, 'file_path'] as const),
  ['NotebookEdit', 'notebook_path'],
  ...['Glob', 'Grep', 'LS'].map((tool) => [tool, 'path'] as const),
])

export function namesFiles(toolName: string): boolean {
  return PATH_FIELDS.has(toolName)
}

/** The field of such a tool's input that names the file or folder. */
export function pathField(toolName: string): string {
  return PATH_FIELDS.get(toolName) ?? 'file_path'
}

let last: { readonly call: RuleCall; readonly subject: Subject } | undefined

/** One call is compared with several lists of rules, so the last one is kept. */
export function subjectOf(call: RuleCall): Subject {
  if (last?.call === call) return last.subject
  const subject = newSubjectOf(call)
  last = { call, subject }
  return subject
}

function newSubjectOf({ toolName, input, cwd }: RuleCall): Subject {
  const fields = fieldsOf(input)
  if (runsCommands(toolName)) {
    const { command } = fields
    const line = typeof command === 'string' ? command : undefined
    // Another field could change what the command may do, such as leaving a sandbox.
    return {
      kind: 'command',
      line,
      plain: toolName === 'Bash' && line !== undefined && hasPlainFields(fields),
    }
  }
  const field = PATH_FIELDS.get(toolName)
  if (field !== undefined) {
    const path = fields[field] ?? (field === 'path' ? cwd : undefined)
    return { kind: 'file', path: typeof path === 'string' && path !== '' ? path : undefined }
  }
  if (toolName === 'WebFetch') return { kind: 'host', host: hostOf(fields['url']) }
  return { kind: 'other' }
}

function hasPlainFields(fields: Readonly<Record<string, unknown>>): boolean {
  for (const field in fields) if (!PLAIN_FIELDS.has(field)) return false
  return true
}

function hostOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  // `example.com.` is the same host.
  return new URL(url).hostname.toLowerCase().replace(/\.+$/, '')
}

/** By hand: a schema would take longer than all the rest of a decision. */
function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its fields are unknown, as the type says
  return typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
}

const PLAIN_FIELDS: ReadonlySet<string> = new Set(['command', 'description', 'timeout', 'run_in_background'])
