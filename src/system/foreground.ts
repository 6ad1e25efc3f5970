import { readProc } from './process-table.ts'

/**
 * Whether a key such as Ctrl-C, and the end of the terminal, reach every process of our group: ours is the group in the
 * foreground of its terminal. Where the system does not report that, a terminal on stdin means it.
 */
export function isInForeground(): boolean {
  if (process.platform !== 'linux') return process.stdin.isTTY
  const stat = readProc(process.pid, 'stat')
  // After the name in parentheses: state, parent, group, session, terminal, group in its foreground.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group !== undefined && group === foreground
}
