import { isAbsolute, relative, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { StartOptions } from '../../child/launch/start-options.ts'
import { realDirectory } from '../../child/launch/working-directory.ts'
import { worktreeFolder } from '../../child/launch/worktree-folder.ts'
import { AppError } from '../../base/errors.ts'
import { PERMISSION_MODES } from '../../base/permission-modes.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Ask } from '../../base/ask-setting.ts'
import { wantedAsk } from './ask-target.ts'

/** The fields of a new session that its parent limits. */
interface ChildSession {
  readonly options: StartOptions
  readonly answerers?: 'anyone' | 'person' | undefined
  readonly ask?: Ask | undefined
}

/**
 * A session may start only sessions that may do no more unasked than itself. It answers for its children, so otherwise it
 * could do through them what it is not allowed to do. Stricter settings of the parent are inherited; wider ones are refused.
 */
export function narrowToParent<T extends ChildSession>(parent: Session, input: T): T {
  const { options } = input
  requireModeWithin(parent, options.permissionMode)
  const { allowedTools: allowed = [], disallowedTools: disallowed = [], rules = [] } = parent.config
  const more = (options.allowedTools ?? []).filter((rule) => !allowed.includes(rule))
  if (more.length > 0) throw moreThanParent(`allowedTools ${more.join(', ')}`)
  requireServersOfParent(parent, options.mcpServers)
  const { tools = options.tools } = parent.config
  const others = (options.tools ?? []).filter((tool) => tools?.includes(tool) === false)
  if (others.length > 0) throw moreThanParent(`tools ${others.join(', ')}`)
  const workingDirectory = realDirectory(resolve(parent.workingDirectory, options.workingDirectory ?? '.'))
  const addDirs = resolveFolders(workingDirectory, options.addDirs)
  requireInside(parent, [workingDirectory, ...addDirs])
  if (options.worktree) requireWorktreeInside(parent, workingDirectory)
  return {
    ...input,
    answerers: parent.answerers === 'person' ? 'person' : input.answerers,
    ask: wantedAsk(parent) === 'person' ? 'person' : (input.ask ?? parent.ask),
    options: {
      ...options,
      workingDirectory,
      ...(options.addDirs ? { addDirs } : {}),
      ...(tools ? { tools: options.tools ?? tools } : {}),
      supervise: stricter(parent.config.supervise, options.supervise),
      ...(rules.length > 0 ? { rules: [...rules, ...(options.rules ?? [])] } : {}),
      ...(disallowed.length > 0
        ? { disallowedTools: [...new Set([...disallowed, ...(options.disallowedTools ?? [])])] }
        : {}),
    },
  }
}

/** A child's mode may not allow what the parent's mode does not. */
export function requireModeWithin(parent: Session, mode: string): void {
  const own = modeOf(parent)
  if (own !== mode && !MODES_WITHIN[own]?.includes(mode)) throw moreThanParent(`permissionMode ${mode}`)
}

/** The mode that a session is in now. */
export function modeOf({ permissionMode, config }: Session): string {
  return permissionMode ?? config.permissionMode
}

/**
 * For each mode the other modes that allow nothing more, whether by a rule or by an answer from above. `plan` becomes
 * `default` when a plan is approved, so it is not within `dontAsk`. In `dontAsk` a rule such as `Write` takes effect at
 * once, in `plan` it does not, so `dontAsk` is not within `plan`.
 */
const MODES_WITHIN: Readonly<Record<string, readonly string[]>> = {
  dontAsk: [],
  plan: [],
  default: ['plan', 'dontAsk'],
  acceptEdits: ['default', 'plan', 'dontAsk'],
  auto: PERMISSION_MODES,
  bypassPermissions: PERMISSION_MODES,
}

/**
 * An MCP server receives whatever the session sends it, so it must equal one of the parent's servers in every field. No
 * other option sends data out: prompts, agents and schemas go to the model (references in a schema are not fetched), and
 * `env`, which could redirect traffic, needs the scope `bypass`.
 */
function requireServersOfParent({ config }: Session, servers: StartOptions['mcpServers'] = {}): void {
  for (const [name, server] of Object.entries(servers))
    if (!isDeepStrictEqual(server, config.mcpServers?.[name])) throw moreThanParent(`the MCP server ${name}`)
}

/** Reads in a session's own folders need no answer, so these folders must lie inside the parent's. */
function requireInside(parent: Session, folders: readonly string[]): void {
  const roots = [parent.workingDirectory, ...resolveFolders(parent.workingDirectory, parent.config.addDirs)]
  for (const folder of folders)
    if (!roots.some((root) => isInside(root, folder))) throw moreThanParent(`the folder ${folder}`)
}

/** The CLI creates a worktree at the root of the repository, which may lie outside the parent's folders, also by a link. */
function requireWorktreeInside(parent: Session, workingDirectory: string): void {
  const folder = worktreeFolder(workingDirectory)
  if (folder === undefined) throw moreThanParent('a worktree in an unknown folder')
  requireInside(parent, [folder])
}

/** The CLI resolves relative folders against its working directory. */
function resolveFolders(workingDirectory: string, folders: readonly string[] = []): string[] {
  return folders.map((folder) => realDirectory(resolve(workingDirectory, folder)))
}

function isInside(root: string, folder: string): boolean {
  const path = relative(root, folder)
  return path !== '..' && !path.startsWith('../') && !isAbsolute(path)
}

type Supervision = StartOptions['supervise']

function stricter(a: Supervision, b: Supervision): Supervision {
  const order: readonly Supervision[] = ['asked', 'writes', 'all']
  return order.indexOf(a) > order.indexOf(b) ? a : b
}

function moreThanParent(what: string): AppError {
  return new AppError(
    'forbidden',
    `A session may not start a session that may do more than itself, and ${what} would be more; leave it out.`,
  )
}
