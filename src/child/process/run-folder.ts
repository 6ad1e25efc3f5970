import { existsSync } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replacePrivateFile } from '../../system/files/private-file.ts'
import { identityOf, type ProcessIdentity } from '../../system/process-identity.ts'

/**
 * The files of a run; they outlive the hub. The hub writes `todo`, `will` and `processes`, the keeper `bell`, `stdin`,
 * `keeper`, `pid` and `exit`, the child appends to `stdout` and `stderr`.
 */
export interface RunFolder {
  readonly path: string
  /** Whole messages for the child's stdin, fed in name order, then emptied and later removed. */
  readonly todo: string
  /** FIFO: rung by the hub, and held open by it as long as it lives. */
  readonly bell: string
  /** FIFO: the child's input. */
  readonly stdin: string
  readonly stdout: string
  readonly stderr: string
  /** The messages that the keeper feeds before it closes the child's stdin. */
  readonly will: string
  readonly pid: string
  /** The pid of the keeper's first shell. */
  readonly keeper: string
  /** The exit code as a shell reports it; created by rename once the child has ended. */
  readonly exit: string
  /** Pids with start times, stored by the first hub that sees them: a pid alone may later belong to another process. */
  readonly processes: string
}

export interface RunProcesses {
  readonly child: ProcessIdentity
  readonly keeper: ProcessIdentity
}

export function runFolderAt(path: string): RunFolder {
  const pathOf = (name: string) => join(path, name)
  return {
    path,
    todo: pathOf('todo'),
    bell: pathOf('bell'),
    stdin: pathOf('stdin'),
    stdout: pathOf('stdout'),
    stderr: pathOf('stderr'),
    will: pathOf('will'),
    pid: pathOf('pid'),
    keeper: pathOf('keeper'),
    exit: pathOf('exit'),
    processes: pathOf('processes'),
  }
}

/** The folder must not exist yet: a run folder is never used twice. */
export async function createRunFolder(path: string): Promise<RunFolder> {
  const run = runFolderAt(path)
  await mkdir(run.path, { mode: 0o700 })
  await mkdir(run.todo, { mode: 0o700 })
  for (const file of [run.stdout, run.stderr]) await (await open(file, 'ax', 0o600)).close()
  return run
}

/** The child's exit code, or undefined while it has none. */
export async function readExitCode(run: RunFolder): Promise<number | undefined> {
  return numberIn(run.exit)
}

/** Both processes of the run; undefined until a hub has seen both alive. */
export async function readProcesses(run: RunFolder): Promise<RunProcesses | undefined> {
  const noted = await notedProcesses(run)
  if (noted) return noted
  const now = await processesNow(run)
  if (now === undefined) return undefined
  const note = [now.child, now.keeper].map(({ pid, startedAt }) => `${pid} ${startedAt}\n`).join('')
  // Only the next hub needs the note; a full disk must not end this hub's watch.
  await replacePrivateFile(run.processes, note).catch(() => {})
  return now
}

/** The same for a reader that changes nothing. */
export async function findProcesses(run: RunFolder): Promise<RunProcesses | undefined> {
  return (await notedProcesses(run)) ?? processesNow(run)
}

async function notedProcesses(run: RunFolder): Promise<RunProcesses | undefined> {
  const [child, keeper] = (await textOf(run.processes)).split('\n').map(identityIn)
  return child && keeper ? { child, keeper } : undefined
}

async function processesNow(run: RunFolder): Promise<RunProcesses | undefined> {
  const [child, keeper] = [await readChild(run), await identityNow(run.keeper)]
  return child && keeper ? { child, keeper } : undefined
}

/** The child's process if it is alive. It is known before its keeper's: a child can be stopped in between. */
export async function readChild(run: RunFolder): Promise<ProcessIdentity | undefined> {
  return identityNow(run.pid)
}

/** The last lines of stderr: the only known reason when a CLI ends without a result. */
export async function readStderrTail(run: RunFolder, maxBytes = 4096): Promise<string> {
  const file = await open(run.stderr, 'r').catch(() => undefined)
  if (!file) return ''
  try {
    const { size } = await file.stat()
    const length = Math.min(size, maxBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.subarray(0, bytesRead).toString('utf8').trim()
  } finally {
    await file.close()
  }
}

async function identityNow(path: string): Promise<ProcessIdentity | undefined> {
  const pid = await numberIn(path)
  return pid === undefined ? undefined : identityOf(pid)
}

function identityIn(line: string): ProcessIdentity | undefined {
  const [, pid, startedAt] = /^(\d+) (.+)$/.exec(line) ?? []
  return pid && startedAt ? { pid: Number(pid), startedAt } : undefined
}

async function numberIn(path: string): Promise<number | undefined> {
  const text = (await textOf(path)).trim()
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** Every second each run is asked for its exit code, which is mostly not there: an error for that would cost more than all else. */
async function textOf(path: string): Promise<string> {
  try {
    return existsSync(path) ? await readFile(path, 'utf8') : ''
  } catch {
    return ''
  }
}
