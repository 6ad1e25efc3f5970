import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { readEachOnChange } from '../../system/files/file-stamp.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The part of the CLI's own record that lists the folders a person has trusted. */
const TrustRecord = z.looseObject({ projects: z.record(z.string(), z.unknown()) })
export type TrustRecord = z.infer<typeof TrustRecord>

const EMPTY_RECORD: TrustRecord = { projects: {} }

const Accepted = z.looseObject({ hasTrustDialogAccepted: z.literal(true) })

/**
 * Whether a person has said, to the CLI or to us, that the settings of this folder may be loaded. A folder inherits the
 * trust of the folders above it, as it does in the CLI. Takes real paths.
 */
export function isTrusted(dir: string, record: TrustRecord, ours: readonly string[] = []): boolean {
  return selfAndParents(dir).some(
    (folder) => ours.includes(folder) || Accepted.safeParse(record.projects[folder]).success,
  )
}

/** The folders that a person has trusted in the CLI. */
export function foldersIn({ projects }: TrustRecord): string[] {
  return Object.keys(projects).filter((folder) => Accepted.safeParse(projects[folder]).success)
}

/**
 * The record as the CLI would read it now. A missing or invalid record is empty, because then nothing is trusted. We never
 * write it.
 */
export function readTrustRecord(env: Env): TrustRecord {
  const path = cliRecordPath(env)
  try {
    return path === undefined ? EMPTY_RECORD : readRecord(path)
  } catch {
    return EMPTY_RECORD
  }
}

const readRecord = readEachOnChange((path): TrustRecord => {
  try {
    return TrustRecord.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return EMPTY_RECORD
  }
})

/** The file of that record, which has the user's own MCP servers too. The CLI uses the first of these that exists. */
export function cliRecordPath(env: Env): string | undefined {
  const config = configFolder(env)
  if (config === undefined) return undefined
  const other = join(config, '.config.json')
  if (existsSync(other)) return other
  return env['CLAUDE_CONFIG_DIR'] ? join(config, '.claude.json') : join(dirname(config), '.claude.json')
}

/** The folder of the CLI's own files. An empty variable counts as unset, for the CLI as here. */
export function configFolder({ CLAUDE_CONFIG_DIR, HOME }: Env): string | undefined {
  if (CLAUDE_CONFIG_DIR) return resolve(CLAUDE_CONFIG_DIR)
  return HOME ? join(HOME, '.claude') : undefined
}

const PROJECT_FILES = [
  'CLAUDE.md',
  'CLAUDE.local.md',
  '.mcp.json',
  '.claude/CLAUDE.md',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/rules',
  '.claude/agents',
  '.claude/skills',
  '.claude/commands',
  '.claude/output-styles',
  '.claude/workflows',
]

/**
 * The project files in an untrusted folder, or above it in its repository, that are therefore not loaded. The user's own
 * config folder is loaded, even if the home folder is a repository.
 */
export function notLoaded(dir: string, env: Env = {}): string[] {
  const own = configFolder(env)
  return foldersOfRepository(dir)
    .flatMap(projectFilesIn)
    .filter((path) => own === undefined || !path.startsWith(`${own}/`))
    .map((path) => relative(dir, path))
}

function projectFilesIn(folder: string): string[] {
  const inClaude = existsSync(join(folder, '.claude'))
  return PROJECT_FILES.filter((name) => inClaude || !name.startsWith('.claude/'))
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
}

/** The folder and its parents up to the folder with `.git`; outside a repository only the folder itself. */
function foldersOfRepository(dir: string): string[] {
  const folders = selfAndParents(dir)
  return folders.slice(0, folders.findIndex((folder) => existsSync(join(folder, '.git'))) + 1 || 1)
}

function selfAndParents(dir: string): string[] {
  if (!isAbsolute(dir)) return []
  const parent = dirname(dir)
  return parent === dir ? [dir] : [dir, ...selfAndParents(parent)]
}
