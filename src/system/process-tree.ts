import { setTimeout } from 'node:timers/promises'
import type { ProcessIdentity } from './process-identity.ts'
import { type ProcessRow, readProc, readProcessRows, readProcessTable } from './process-table.ts'
import { SESSION_MARK } from './session-mark.ts'

const TERM_MS = 1000
const KILL_MS = 5000
const EMPTY_SCANS = 3
const EMPTY_SCAN_MS = 10

/**
 * All descendants of these processes, without these themselves: their children, and all members of a process group or
 * session that one of them leads, recursively.
 */
export async function descendantsOf(pids: number[]): Promise<ProcessIdentity[]> {
  return pids.length === 0 ? [] : descendantsIn(await readProcessTable(), pids)
}

/** Processes with our mark of the session in their environment, whatever their parent is. Linux only. */
export async function processesOfSession(sessionId: string): Promise<ProcessIdentity[]> {
  return findMarked(sessionId)(await readProcessTable())
}

/**
 * Returns a function that finds the marked processes in a table. Later calls read only the environments that were not read
 * before: a process has the mark from its first moment, because it inherits it. A process that is just being executed has
 * an empty environment and is read again.
 *
 * The CLI marks what it starts too, with the id of its conversation. We do not use that mark to end processes: a conversation
 * that we continue may have left a server running that its user started in a terminal.
 */
export function findMarked(
  sessionId: string,
  variable = SESSION_MARK,
): (table: readonly ProcessRow[]) => ProcessIdentity[] {
  if (process.platform !== 'linux' || sessionId === '') return () => []
  const mark = `\0${variable}=${sessionId}\0`
  const unmarked = new Set<string>()
  // The table was read first: a start time that is read after the environment could be that of another process.
  return (table) =>
    table
      .filter((row) => {
        const key = keyOf(row)
        if (unmarked.has(key)) return false
        const entries = readProc(row.pid, 'environ')
        const hasMark = `\0${entries}\0`.includes(mark)
        if (!hasMark && entries !== '') unmarked.add(key)
        return hasMark
      })
      .map(toIdentity)
}

/** Whether a process belongs to some session of ours. Elsewhere than on Linux that is not known, and false. */
export function isMarked(pid: number): boolean {
  return process.platform === 'linux' && `\0${readProc(pid, 'environ')}`.includes(`\0${SESSION_MARK}=`)
}

/** Signals each process that is still the same. Those that have ended or belong to another user are skipped. */
export async function signalAll(processes: ProcessIdentity[], signal: NodeJS.Signals): Promise<void> {
  const wanted = new Set(processes.filter(({ pid }) => !isProtected(pid)).map(keyOf))
  if (wanted.size === 0) return
  for (const row of await readProcessRows(processes.map(({ pid }) => pid))) {
    if (!wanted.has(keyOf(row))) continue
    try {
      process.kill(row.pid, signal)
    } catch {
      // It ended just now, or belongs to another user: the next scan shows what is left.
    }
  }
}

/** Gets the table of all processes, so that each scan reads it once. */
type Find = (table: readonly ProcessRow[]) => Promise<ProcessIdentity[]> | ProcessIdentity[]

/**
 * Ends the processes that `find` returns and all their descendants, and returns what it ended. First each gets SIGTERM
 * once, also those that appear meanwhile. After a second, or when the signal aborts, the rest is stopped (a stopped
 * process cannot fork) until no new process appears, and then killed. What cannot be killed within five more seconds is
 * left, so that nobody waits for ever; `find` still finds it.
 *
 * One empty scan proves nothing: a process that forks and exits between the listing and the reading hides its child, and a
 * process that is just being executed has no environment yet. Three empty scans in a row count.
 */
export async function endAll(find: Find, signal?: AbortSignal): Promise<ProcessIdentity[]> {
  const known = new Map<string, ProcessIdentity>()
  const terminated = new Set<string>()
  const killAt = Date.now() + TERM_MS
  const giveUpAt = killAt + KILL_MS
  for (let emptyScans = 0, pause = 2; ; pause = Math.min(pause * 2, 50)) {
    const left = await scan(find, known)
    emptyScans = left.length === 0 ? emptyScans + 1 : 0
    if (emptyScans === EMPTY_SCANS || Date.now() > giveUpAt) {
      const alive = new Set(left.map(keyOf))
      return [...known.values()].filter((identity) => !alive.has(keyOf(identity)))
    }
    if (signal?.aborted || Date.now() > killAt) {
      await signalAll(await freeze(left, find, known), 'SIGKILL')
    } else {
      const newlyFound = left.filter((identity) => !terminated.has(keyOf(identity)))
      for (const identity of newlyFound) terminated.add(keyOf(identity))
      await signalAll(newlyFound, 'SIGTERM')
    }
    await setTimeout(emptyScans > 0 ? EMPTY_SCAN_MS : pause)
  }
}

async function freeze(
  first: ProcessIdentity[],
  find: Find,
  known: Map<string, ProcessIdentity>,
): Promise<ProcessIdentity[]> {
  const stopped = new Set<string>()
  let left = first
  for (let round = 0; round < 20; round++) {
    const newlyFound = left.filter((identity) => !stopped.has(keyOf(identity)))
    if (newlyFound.length === 0) break
    for (const identity of newlyFound) stopped.add(keyOf(identity))
    await signalAll(newlyFound, 'SIGSTOP')
    left = await scan(find, known)
  }
  return left
}

/**
 * Returns the living among all processes found so far. Children whose parent has ended lose that link, so every process
 * ever seen is remembered, and its descendants and the members of its group count too.
 */
async function scan(find: Find, known: Map<string, ProcessIdentity>): Promise<ProcessIdentity[]> {
  const table = await readProcessTable()
  remember(await find(table), known)
  const startOf = new Map(table.map((row) => [row.pid, row.startedAt]))
  // A pid that now belongs to another process has no descendants of ours.
  const roots = [...known.values()].filter(
    ({ pid, startedAt }) => (startOf.get(pid) ?? startedAt) === startedAt,
  )
  remember(
    descendantsIn(
      table,
      roots.map(({ pid }) => pid),
    ),
    known,
  )
  return [...known.values()].filter(({ pid, startedAt }) => startOf.get(pid) === startedAt)
}

function remember(found: ProcessIdentity[], known: Map<string, ProcessIdentity>): void {
  for (const identity of found) if (!isProtected(identity.pid)) known.set(keyOf(identity), identity)
}

function descendantsIn(table: readonly ProcessRow[], roots: number[]): ProcessIdentity[] {
  const byAncestor = new Map<number, ProcessRow[]>()
  for (const row of table) {
    for (const ancestor of [row.parent, ...row.leaders]) {
      const rows = byAncestor.get(ancestor)
      if (rows) rows.push(row)
      else byAncestor.set(ancestor, [row])
    }
  }
  const reached = new Set(roots)
  const found: ProcessIdentity[] = []
  for (const above of reached) {
    for (const { pid, startedAt } of byAncestor.get(above) ?? []) {
      if (reached.has(pid) || isProtected(pid)) continue
      reached.add(pid) // the loop also visits what is added to its set
      found.push({ pid, startedAt })
    }
  }
  return found
}

/** Never signal this process, even if it was started from inside a session, nor init. */
function isProtected(pid: number): boolean {
  return pid === process.pid || pid <= 1
}

function toIdentity({ pid, startedAt }: ProcessRow): ProcessIdentity {
  return { pid, startedAt }
}

function keyOf({ pid, startedAt }: ProcessIdentity): string {
  return `${pid} ${startedAt}`
}
