import { join } from 'node:path'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { RecordEntry } from '../../src/audit/record-row.ts'

const BATCH = 5_000

/** A database with a record of so many rows, of the size that questions and answers have. */
export async function writtenRecord(folder: string, rows: number): Promise<string> {
  const path = join(folder, 'plexus.db')
  const store = await openSqliteStore(path)
  for (let from = 0; from < rows; from += BATCH)
    await store.record.append(Array.from({ length: Math.min(BATCH, rows - from) }, (_, n) => entry(from + n)))
  await store.close()
  return path
}

function entry(n: number): RecordEntry {
  const hash = n.toString(16).padStart(64, '0')
  return {
    kind: n % 2 ? 'settled' : 'asked',
    at: 1_790_000_000_000 + n,
    body: {
      session: '5f0c7a52-9a3e-4a51-8d5e-0b8f4f1f2a10',
      approvalId: `00000000-0000-4000-8000-${String(n >> 1).padStart(12, '0')}`,
      owner: 'operator',
      tool: 'Bash',
      folder: '/home/user/project',
      mode: 'default',
      cliVersion: '2.1.197',
      input: { command: `npm run lint && npm test -- --shard ${n}`, description: 'Runs the tests' },
      shownSha256: hash,
      ranSha256: hash,
    },
  }
}
