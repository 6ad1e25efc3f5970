import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cliVersion, isFull } from '../../rig/cli/real-cli.ts'

export { isFull }

/** For docs/ADVERSARY.md, which scripts/adversary.mjs writes. */
export async function keepReport(part: 'attacks' | 'ordinary', report: object): Promise<void> {
  const folder = join(import.meta.dirname, '../../../.cache/adversary')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${cliVersion()}-${part}.json`), JSON.stringify(report, null, 1))
}
