import { defineConfig } from 'vitest/config'
import { sequence } from './test/rig/tools/slow-first.ts'
import { WIDE } from './test/wide.ts'

/** Everything that starts no CLI: `cliPath` of the rig throws, so a test that wants one fails at once. */
export default defineConfig({
  test: {
    globalSetup: ['test/rig/tools/build-programs.ts'],
    include: ['test/**/*.test.ts'],
    exclude: [
      ...WIDE,
      'test/**/*-cli.test.ts',
      'test/{scenarios,upgrade,clients,browser}/**',
      'test/adversary/*.test.ts',
      'test/faults/{input,limits}/**',
      'test/faults/attacks/!(who-may-what).test.ts',
      'test/faults/crash/!(store-crash).test.ts',
      'test/examples.test.ts',
    ],
    env: { PLEXUS_TEST_CLI: 'none' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Half of the time a test waits for a process or a disk.
    maxWorkers: 4,
    isolate: false,
    sequence,
    // Modules as they were transformed for an earlier run, by what they and the packages were then.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/modules' },
  },
})
