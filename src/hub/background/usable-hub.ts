import { VERSION } from '../../base/version.ts'
import { isOlder } from '../../text/version-order.ts'
import type { HubRecord } from '../hub-record.ts'

/** A newer program replaces an older hub, unless that would end the client or the sessions of another program. */
export async function isUsable(record: HubRecord): Promise<boolean> {
  return record.standalone === true || !isOlder(record.version, VERSION) || endsChildren(record)
}

/** The record of the first version lacks this field; on Linux the command line shows it. */
async function endsChildren({ endChildren, pid }: HubRecord): Promise<boolean> {
  if (endChildren === true) return true
  const { readProc } = await import('../../system/process-table.ts') // most clients never need it
  return readProc(pid, 'cmdline').split('\0').includes('--end-children')
}
