import { defineConfig } from 'vitest/config'

/** Clients that others wrote, one after the other; `npm run test:clients` starts it. */
export default defineConfig({
  test: {
    globalSetup: ['test/rig/tools/build-programs.ts'],
    include: ['test/clients/*.clients.ts'],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
