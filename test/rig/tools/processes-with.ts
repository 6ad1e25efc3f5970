import { readProc, readProcessTable } from '../../../src/system/process-table.ts'

/** Processes whose environment names this path. Linux only. */
export async function processesWith(path: string): Promise<string[]> {
  const rows = await readProcessTable()
  return rows
    .filter(({ pid }) => readProc(pid, 'environ').includes(path))
    .map(({ pid }) => `${pid} ${readProc(pid, 'cmdline').replaceAll('\0', ' ')}`)
}
