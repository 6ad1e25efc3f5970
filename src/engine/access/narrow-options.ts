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

/** As much of a new session as its parent limits. */
interface NewSession {
  readonly options: StartOptions
  readonly answerers?: 'anyone' | 'person' | undefined
  readonly ask?: Ask | undefined
}

/**
 * What a session may start: nothing that may do more unasked than it may itself, for it answers its children and so could
 * have done by them what it is not allowed. What is stricter in the parent is taken over; what is wider is refused.
 */
export function narrowed<T extends NewSession>(parent: Session, input: T): T {
  const { options } = input
  requireModeWithin(parent, options.permissionMode)
  const { allowedTools: allowed = [], disallowedTools: disallowed = [] } = parent.config
  const more = (options.allowedTools ?? []).filter((rule) => !allowed.includes(rule))
  if (more.length > 0) throw wider(`allowedTools ${more.join(', ')}`)
  requireServersOf(parent, options.mcpServers)
  const { tools = options.tools } = parent.config
  const others = (options.tools ?? []).filter((tool) => tools?.includes(tool) === false)
  if (others.length > 0) throw wider(`tools ${others.join(', ')}`)
  const workingDirectory = realDirectory(resolve(parent.workingDirectory, options.workingDirectory ?? '.'))
  const addDirs = realFrom(workingDirectory, options.addDirs)
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
      ...(disallowed.length > 0
        ? { disallowedTools: [...new Set([...disallowed, ...(options.disallowedTools ?? [])])] }
        : {}),
    },
  }
}

/** What a session may not do in its own mode does not happen below it either. */
export function requireModeWithin(parent: Session, mode: string): void {
  const own = modeOf(parent)
  if (own !== mode && !MODES_WITHIN[own]?.includes(mode)) throw wider(`permissionMode ${mode}`)
}

/** The mode that a session is in now. */
export function modeOf({ permissionMode, config }: Session): string {
  return permissionMode ?? config.permissionMode
}

/**
 * The other modes in which nothing happens that could not happen in this one, by a rule or by an answer of who is above.
 * `plan` ends in `default` with the approval of a plan, so it is not within `dontAsk`; and there a rule such as `Write`
 * holds at once, which in `plan` it does not.
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
 * A server is sent whatever a session gives it, so it must be one that the parent was given: the same in every part. No
 * other option reaches out: prompts, agents and schemas go to the model (no reference in a schema is fetched), and what
 * could point elsewhere (`env`) needs the scope `bypass`.
 */
function requireServersOf({ config }: Session, servers: StartOptions['mcpServers'] = {}): void {
  for (const [name, server] of Object.entries(servers))
    if (!isDeepStrictEqual(server, config.mcpServers?.[name])) throw wider(`the MCP server ${name}`)
}

/** Reading in a session's own folders is not asked about, so they may not be others than the parent's. */
function requireInside(parent: Session, folders: readonly string[]): void {
  const roots = [parent.workingDirectory, ...realFrom(parent.workingDirectory, parent.config.addDirs)]
  for (const folder of folders)
    if (!roots.some((root) => isInside(root, folder))) throw wider(`the folder ${folder}`)
}

/** The CLI makes it at the top of the repository, which may lie above the parent's folders, or behind a link. */
function requireWorktreeInside(parent: Session, workingDirectory: string): void {
  const folder = worktreeFolder(workingDirectory)
  if (folder === undefined) throw wider('a worktree that is made elsewhere')
  requireInside(parent, [folder])
}

/** As the CLI takes them: from where it works. */
function realFrom(workingDirectory: string, folders: readonly string[] = []): string[] {
  return folders.map((folder) => realDirectory(resolve(workingDirectory, folder)))
}

function isInside(root: string, folder: string): boolean {
  const way = relative(root, folder)
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}

type Supervision = StartOptions['supervise']

function stricter(a: Supervision, b: Supervision): Supervision {
  const order: readonly Supervision[] = ['asked', 'writes', 'all']
  return order.indexOf(a) > order.indexOf(b) ? a : b
}

function wider(what: string): AppError {
  return new AppError(
    'forbidden',
    `A session may not start one that may do more than itself, and ${what} would be more; leave it out.`,
  )
}
