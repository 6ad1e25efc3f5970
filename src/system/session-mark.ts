import { readProc } from './process-table.ts'

/** The environment variable that marks every process of a session, so that stopping it finds those that left its group. */
export const SESSION_MARK = 'LOOPBACK_SESSION_ID'

/** Whether a process belongs to some session of ours. Elsewhere than on Linux that is not known, and false. */
export function isMarked(pid: number): boolean {
  return process.platform === 'linux' && `\0${readProc(pid, 'environ')}`.includes(`\0${SESSION_MARK}=`)
}
