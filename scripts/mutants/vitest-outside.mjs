/** Vitest's `expect` and `vi` outside of a worker of Vitest, and property tests that repeat themselves. */

// Vitest reads its settings from here when it is loaded.
// oxlint-disable-next-line no-underscore-dangle -- Vitest's name for it
globalThis.__vitest_worker__ = { config: { expect: {}, fakeTimers: {} }, environment: {}, rpc: {} }

const { createExpect, vi } = await import('vitest')
/** It wants to know its test only to keep promises with it. */
const expect = createExpect({})
const fc = await import('fast-check')

// The same examples each time, not too many, and no search for a smaller one: a failure is all that is asked for.
const settings = { seed: 1, endOnFailure: true }
const MOST_EXAMPLES = 50
fc.configureGlobal({ ...settings, numRuns: MOST_EXAMPLES })
const limited = (parameters = {}) => ({
  ...parameters,
  ...settings,
  numRuns: Math.min(parameters.numRuns ?? MOST_EXAMPLES, MOST_EXAMPLES),
})
const fastCheck = { ...fc, assert: (property, parameters) => fc.assert(property, limited(parameters)) }

/** What a test must not leave to the next one. */
export function reset() {
  vi.useRealTimers()
  vi.unstubAllEnvs()
}

export { expect, fastCheck, vi }
