import { isWithin, resolvePath } from '../../shell/path-bounds.ts'
import { maySearch, searchedFolders } from '../../shell/searched-folders.ts'
import { parsedLine } from '../lines/read-commands.ts'
import { absolute, folderOf, type PathContext } from './rule-paths.ts'

/** A call that may search folders: of a tool that names a path, or with a command line. */
interface SearchingCall {
  readonly toolName: string
  readonly cwd?: string | undefined
  readonly subject: {
    readonly kind: string
    readonly path?: string | undefined
    readonly line?: string | undefined
  }
}

/** Whether the call searches a folder in which one of these paths lies, or could lie if it has a wildcard. */
export function searchesAbove(paths: readonly string[], call: SearchingCall, context: PathContext): boolean {
  const searched = foldersOf(call, context)
  if (searched.length === 0) return false
  return paths.some((path) => {
    const star = path.includes('*')
    const full = star ? beforeStar(absolute(path, context)) : folderOf(path, context)
    // Of what is not there nothing is read.
    if (!star && !context.place.files.hasEntry(full)) return false
    return searched.some((folder) => isWithin(full, folder) || (star && isWithin(folder, full)))
  })
}

/** The folder that a path with a wildcard names before it. */
function beforeStar(full: string): string {
  return full.slice(0, Math.max(full.lastIndexOf('/', full.indexOf('*')), 0)) || '/'
}

/** The folders below which a call reads all there is, as real paths. */
function foldersOf({ toolName, cwd: given, subject }: SearchingCall, { place }: PathContext): string[] {
  const { files } = place
  const commands = subject.line === undefined ? NO_COMMANDS : parsedLine(subject.line).commands
  if (subject.kind !== 'file' && !commands.some(({ plain }) => maySearch(plain[0]))) return []
  const cwd = (given === undefined ? undefined : files.realPath(given)) ?? place.cwd
  if (subject.kind === 'file') {
    const real = SEARCHING_TOOLS.has(toolName) ? resolvePath(files, cwd, subject.path ?? '.') : undefined
    return real === undefined ? [] : [real]
  }
  const cwds = [cwd]
  const folders: string[] = []
  for (const { plain } of commands) {
    folders.push(...searchedFolders(plain, cwds, place))
    // Whether a `cd` succeeds is not known, so the folders before it count too.
    const [name, folder] = plain
    const entered =
      name === 'cd' && folder !== undefined ? resolvePath(files, cwds.at(-1) ?? cwd, folder) : undefined
    if (entered !== undefined && cwds.length < MAX_FOLDERS) cwds.push(entered)
  }
  return folders
}

const SEARCHING_TOOLS: ReadonlySet<string> = new Set(['Grep', 'Glob'])
const MAX_FOLDERS = 20
const NO_COMMANDS: ReturnType<typeof parsedLine>['commands'] = []
