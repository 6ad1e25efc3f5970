import { readProc } from '../../../src/system/process-table.ts'
import { eventually } from './eventually.ts'

/**
 * Waits until a process has become this program; Linux only. A process that is just being executed has no environment for a
 * moment, and before that it has the one of the shell that started it.
 */
export async function untilProgram(pid: number, name: string): Promise<void> {
  await eventually(() => {
    if (!readProc(pid, 'cmdline').startsWith(`${name}\0`)) throw new Error(`${pid} is not ${name} yet.`)
  })
}
