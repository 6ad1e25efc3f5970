import { defineConfig } from 'vitest/config'

/** These look at their own process: its memory, its timers, its open files. */
const OWN_PROCESS = [
  'test/child/line-splitter.test.ts',
  'test/engine/wait-for.test.ts',
  'test/faults/many-sessions.test.ts',
  'test/faults/slow-reader.test.ts',
]

export default defineConfig({
  test: {
    globalSetup: ['test/rig/build-programs.ts'],
    // Real processes on two cores: the limit is for a hang, not for slowness.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One more than the cores that CI has: most of the time a test waits for a process.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        // A process takes one file after the other: a new one for each of 180 would load the same modules as often.
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: OWN_PROCESS, isolate: false },
      },
      { extends: true, test: { name: 'own process', include: OWN_PROCESS } },
    ],
  },
})
