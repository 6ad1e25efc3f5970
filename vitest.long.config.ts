import { defineConfig } from 'vitest/config'

/** What takes minutes because minutes are what it is about. */
export default defineConfig({
  test: {
    globalSetup: ['test/rig/tools/build-programs.ts'],
    include: ['test/long/*.long.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
})
