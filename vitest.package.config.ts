import { defineConfig } from 'vitest/config'

/** What is published, from its packed form; `npm run test:package` makes that, and starts this. */
export default defineConfig({
  test: {
    globalSetup: ['test/rig/tools/build-programs.ts'],
    include: ['test/package/*.package.ts'],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
