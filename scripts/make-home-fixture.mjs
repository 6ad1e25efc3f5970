// node scripts/make-home-fixture.mjs: makes test/fixtures/homes/0.1.0 anew, a home folder as that version leaves it.
//
// It runs the released program (test/fixtures/releases) with the real CLI and the scripted model, makes a session of every
// kind (test/rig/hubs/old-home.ts), kills the hub and then the children, and copies what is left. It is committed, so that later
// versions open it when nothing can run the old program any more (test/upgrade/home-fixture.test.ts). A new release gets one
// of its own: name it in test/upgrade/home-fixture.make.ts. Nothing of the machine may be in it, and it stays below 200 kB.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startVitest } from 'vitest/node'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const vitest = await startVitest('test', [], {
  root,
  config: false,
  run: true,
  include: ['test/upgrade/home-fixture.make.ts'],
})
await vitest.close()
