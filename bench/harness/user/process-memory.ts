import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** Memory of a process in MB, where what it shares with others counts in part: as much as there are that share it. */
export function sharedMemoryOf(pid: number): number {
  return megabytesIn(`/proc/${pid}/smaps_rollup`, /^Pss: +(\d+)/m)
}

/** The same where all counts that it has in memory. */
export function residentMemoryOf(pid: number): number {
  return megabytesIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m)
}

/** The memory of a Node process that does nothing. */
export async function memoryOfIdleNode(memoryOf: (pid: number) => number): Promise<number> {
  const idle = spawn(process.execPath, ['-e', "console.log('ready'); setInterval(() => {}, 1e9)"], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(idle.stdout, 'data')
  const memory = memoryOf(idle.pid ?? 0)
  const exit = once(idle, 'exit')
  idle.kill()
  await exit
  return memory
}

function megabytesIn(file: string, pattern: RegExp): number {
  const [, kilobytes] = pattern.exec(readFileSync(file, 'utf8')) ?? []
  if (kilobytes === undefined) throw new Error(`${file} does not say how much memory its process has.`)
  return Number(kilobytes) / 1000
}
