import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installedCli } from '../../../scripts/installed-cli.mjs'
import { offlineEnvironment } from '../../../src/demo/offline-environment.ts'
import { inPairs, type Samples } from '../figure.ts'
import { allowedCli, type BareCli, type BarePlace } from './bare-cli.ts'
import { withTurnModel } from './turn-model.ts'

const PAIRS = 100

/** Turns with one tool call of two CLIs on plain pipes: one that is given, and one whose command is allowed beforehand. */
export async function bareTurns(given: (place: BarePlace) => BareCli): Promise<Samples> {
  const cli = installedCli(process.cwd())
  if (cli === undefined) throw new Error('No Claude Code CLI is installed among the development packages.')
  const folder = await mkdtemp(join(tmpdir(), 'plexus-bench-'))
  const project = join(folder, 'project')
  await mkdir(project)
  try {
    return await withTurnModel({ calls: 1, delayMs: 150 }, async (modelUrl) => {
      const env = offlineEnvironment('/usr/bin:/bin', folder, modelUrl)
      const both = [given, allowedCli].map((start) => start({ cli, env, project })) as [BareCli, BareCli]
      try {
        return await inPairs(PAIRS, both[0].turn, both[1].turn)
      } finally {
        await Promise.all(both.map((one) => one.end()))
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
