import { everyCommand, isHarmlessCommand, type ShellContext } from './harmless.ts'
import { fileOperands, type HarmlessUse } from './harmless-uses/harmless-options.ts'
import { wordSet } from './programs/word-set.ts'
import { resolvePath, isInBounds, wordInBounds } from './path-bounds.ts'
import { type SimpleCommand, simpleCommands } from './lines/simple-commands.ts'

/** Programs that change files, which the mode `acceptEdits` allows in the session's folders. */
const EDIT_PROGRAMS: ReadonlyMap<string, HarmlessUse> = new Map<string, HarmlessUse>([
  ['mkdir', { short: 'pmv', long: wordSet('parents verbose') }],
  ['touch', { short: 'acm' }],
  ['rm', { short: 'rRfvd', long: wordSet('recursive force verbose') }],
  ['rmdir', { short: 'pv' }],
  ['mv', { short: 'fnv' }],
  ['cp', { short: 'rRapfnv', long: wordSet('recursive verbose') }],
  [
    'sed',
    {
      short: 'niEr',
      textFirst: {
        unless: [],
        text: /^s([/|#,])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpI\d]*$/,
      },
    },
  ],
])

/** Names of files that change what runs or what is asked later. */
const GUARDED_NAMES = wordSet(`
.git .claude .mcp.json .vscode .idea .husky .devcontainer .envrc .gitmodules .gitconfig .bashrc .zshrc .profile
.bash_profile .zprofile .npmrc .yarnrc .yarnrc.yml`)

/** Whether a command line does nothing but edit files in the session's folders, and none with a guarded name. */
export function editsInPlace(line: string, place: ShellContext): boolean {
  const commands = simpleCommands(line)
  return commands !== undefined && everyCommand(commands, place, isEdit)
}

function isEdit(command: SimpleCommand, place: ShellContext): boolean {
  const { name, args, reads, writes } = command
  const editing = EDIT_PROGRAMS.get(name)
  if (!editing) return isHarmlessCommand(command, place)
  const files = fileOperands(editing, args)
  if (!files || reads.length > 0 || writes.some(({ text }) => text !== '/dev/null')) return false
  return files.every((word) => {
    if (word.pattern || !wordInBounds(place.files, place.bounds, place.cwd, word)) return false
    const path = resolvePath(place.files, place.cwd, word.text) ?? ''
    if (place.bounds.folders.includes(path)) return false // the whole folder
    return !isGuardedPath(pathBelowFolder(path, place))
  })
}

/** Whether a path below a folder has a guarded name in it. */
export function isGuardedPath(path: string): boolean {
  return path.split('/').some((part) => GUARDED_NAMES.has(part.toLowerCase()))
}

function pathBelowFolder(path: string, { bounds }: ShellContext): string {
  const folder = bounds.folders.find((parent) => isInBounds({ folders: [parent], except: [] }, path)) ?? ''
  return path.slice(folder.length)
}
