/** Vitest's `expect` and `vi` outside of a worker of Vitest, and property tests that repeat themselves. */

// Vitest reads its settings from here when it is loaded.
globalThis.__vitest_worker__ = { config: { expect: {}, fakeTimers: {} }, environment: {}, rpc: {} }

const { createExpect, vi } = await import('vitest')
/** It wants to know its test only to keep promises with it. */
const expect = createExpect({})
const fc = await import('fast-check')

// The same examples each time, and no search for a smaller one: a failure is all that is asked for.
const settings = { seed: 1, endOnFailure: true }
fc.configureGlobal(settings)

/** What a test must not leave to the next one. */
export function reset() {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  fc.configureGlobal(settings)
}

export { expect, vi }
