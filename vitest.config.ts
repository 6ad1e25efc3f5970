import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['test/rig/build-programs.ts'],
    include: ['test/**/*.test.ts'],
    // Real processes on two cores: the limit is for a hang, not for slowness.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One more than the cores that CI has: most of the time a test waits for a process.
    maxWorkers: 3,
  },
})
