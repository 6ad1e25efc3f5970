import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readConfigFile } from '../../assembly/config-file.ts'
import { AppError } from '../../base/errors.ts'
import { foldersIn, isTrusted, notLoaded, readTrustRecord } from '../../child/launch/trust.ts'
import { realDirectory } from '../../child/launch/working-directory.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { alignedLines } from '../../command-line/views/columns.ts'
import { oneLine } from '../../command-line/views/session-words.ts'
import { applyChanges } from '../../setup/files/file-change.ts'
import { withItem, withoutItem } from '../../setup/files/jsonc-edit.ts'
import { confirm } from './confirm.ts'
import { homeFor, planSettings, preparedHome } from './home-settings.ts'
import { requirePerson } from './require-person.ts'

const LIST = ['trusted']

/** `trust DIR`, `trust ls` and `trust rm DIR`. */
export async function run(call: CommandCall): Promise<number> {
  const [verb = '', folder] = call.args
  if (verb === 'ls' && folder === undefined) return list(call)
  if (verb === 'rm' && folder !== undefined) return remove(call, folder)
  if (folder !== undefined || verb === 'rm')
    throw new AppError('invalid_input', 'Say plexus trust DIR, plexus trust ls, or plexus trust rm DIR.')
  return add(call, verb)
}

async function add(call: CommandCall, given: string): Promise<number> {
  const { env, flags, out } = call
  requirePerson(env, 'trust a folder')
  const folder = realDirectory(given)
  requireNotAbove(folder, env['HOME'])
  const home = await preparedHome(env, flags)
  if (isTrusted(folder, readTrustRecord(env), readConfigFile(home).trusted)) {
    out.say(`${oneLine(folder)} is trusted already; plexus trust ls says by what.`)
    return 0
  }
  const files = notLoaded(folder, env)
  out.say(
    `To trust ${oneLine(folder)}, with all folders below it, means: sessions there load what the project says: its settings, hooks, MCP servers, agents and CLAUDE.md. A hook runs programs, and may answer for you.`,
  )
  if (files.length > 0) out.say(`There now: ${files.map(oneLine).join(', ')}.`)
  if (!(await confirm('Trust it?', call))) return 1
  applyChanges(planSettings(home, (text) => withItem(text, LIST, folder)))
  if (out.isJson) out.json({ trusted: folder })
  else out.say('It is trusted. It counts for each process that a session starts from now on.')
  return 0
}

/** A folder may be gone by now, so it is also found by what was typed. */
async function remove(call: CommandCall, given: string): Promise<number> {
  const { env, flags, out } = call
  requirePerson(env, 'change what is trusted')
  const home = homeFor(env, flags)
  const { trusted } = readConfigFile(home)
  const full = resolve(given)
  const folder = [existsSync(full) ? realDirectory(full) : full, full].find((path) => trusted.includes(path))
  if (folder === undefined)
    throw new AppError(
      'not_found',
      `${oneLine(full)} is not among the folders that were trusted here; plexus trust ls lists them.`,
    )
  const changes = planSettings(home, (text) => withoutItem(text, LIST, folder))
  applyChanges(changes)
  const left = readConfigFile(home).trusted
  const isStill = isTrusted(folder, readTrustRecord(env), left)
  if (out.isJson) out.json({ removed: folder, stillTrusted: isStill })
  else if (isStill)
    out.say(
      'Removed. It is still trusted, by a folder above it or in Claude Code; plexus trust ls says by which.',
    )
  else out.say('It is no longer trusted. A process that runs keeps what it has loaded; plexus stop ends it.')
  return 0
}

async function list({ env, flags, out }: CommandCall): Promise<number> {
  const rows = [
    ...readConfigFile(homeFor(env, flags)).trusted.map((folder) => ({ folder, by: 'Plexus' })),
    ...foldersIn(readTrustRecord(env)).map((folder) => ({ folder, by: 'Claude Code' })),
  ]
  if (out.isJson) out.json({ folders: rows })
  else if (rows.length === 0) out.say('No folder is trusted; plexus trust DIR trusts one.')
  else for (const line of alignedLines(columnsOf(rows), out.columns)) out.line(line)
  return 0
}

function columnsOf(rows: readonly { folder: string; by: string }[]) {
  return [
    { title: 'FOLDER', cells: rows.map(({ folder }) => oneLine(folder)), flexible: true },
    { title: 'TRUSTED IN', cells: rows.map(({ by }) => by) },
  ]
}

/** Trust is inherited, so this would trust whatever is ever downloaded. */
function requireNotAbove(folder: string, userHome: string | undefined): void {
  if (folder !== dirname(folder) && !(userHome && isInside(userHome, folder))) return
  throw new AppError(
    'invalid_input',
    `${oneLine(folder)} has your home folder in it, so everything there would be trusted; name a project.`,
  )
}

function isInside(path: string, folder: string): boolean {
  const real = existsSync(path) ? realDirectory(path) : path
  return real === folder || real.startsWith(`${folder}/`)
}
