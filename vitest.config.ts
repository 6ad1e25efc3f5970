import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['test/rig/build-programs.ts'],
    include: ['test/**/*.test.ts'],
    // Real processes on two cores: the limit is for a hang, not for slowness.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // A process takes one file after the other: no module of ours keeps anything that another file could meet, and a new process
    // for each of 180 files would load the same modules as often.
    isolate: false,
    // One more than the cores that CI has: most of the time a test waits for a process.
    maxWorkers: 3,
  },
})
