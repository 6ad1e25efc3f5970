import { resolvePath } from '../shell/path-bounds.ts'
import { searchedFolders } from '../shell/searched-folders.ts'
import { parsedLine } from './lines/read-commands.ts'
import { type RuleCall, type RuleContext, subjectOf } from './rule-call.ts'

let last:
  | { readonly call: RuleCall; readonly context: RuleContext; readonly folders: readonly string[] }
  | undefined

/** The folders below which a call reads all there is, as real paths. Several rules ask this of one call. */
export function foldersSearchedBy(call: RuleCall, context: RuleContext): readonly string[] {
  if (last?.call === call && last.context === context) return last.folders
  const folders = foldersOf(call, context)
  last = { call, context, folders }
  return folders
}

function foldersOf(call: RuleCall, { place }: RuleContext): readonly string[] {
  const subject = subjectOf(call)
  const cwd = (call.cwd === undefined ? undefined : place.files.realPath(call.cwd)) ?? place.cwd
  if (subject.kind === 'file') {
    const path = SEARCHING_TOOLS.has(call.toolName) ? (subject.path ?? cwd) : undefined
    const real = path === undefined ? undefined : resolvePath(place.files, cwd, path)
    return real === undefined ? [] : [real]
  }
  if (subject.kind !== 'command' || subject.line === undefined) return []
  const cwds = [cwd]
  const folders: string[] = []
  for (const { plain } of parsedLine(subject.line).commands) {
    folders.push(...searchedFolders(plain, cwds, place))
    // Whether a `cd` succeeds is not known, so the folders before it count too.
    const entered =
      plain[0] === 'cd' && plain[1] !== undefined
        ? resolvePath(place.files, cwds.at(-1) ?? cwd, plain[1])
        : undefined
    if (entered !== undefined && cwds.length < MAX_FOLDERS) cwds.push(entered)
  }
  return folders
}

const SEARCHING_TOOLS: ReadonlySet<string> = new Set(['Grep', 'Glob'])
const MAX_FOLDERS = 20
