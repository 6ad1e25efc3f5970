/** From what the tests cover to the tests that can notice a mutant. */

/** @typedef {{ index: number, ms: number, cpuMs: number, hits: number }} CoveringTest */
/** @typedef {{ built: string, tests: CoveringTest[] }} CoveringFile */

export class Coverage {
  /** By mutant. @type {Map<string, CoveringFile[]>} */
  #files = new Map()

  /** @param {string} built @param {{ load: Record<string, number>, tests: { index: number, ms: number, cpuMs: number, hits?: Record<string, number> }[] }} seen */
  add(built, { load, tests }) {
    const passed = tests.filter(({ hits }) => hits).toSorted((a, b) => a.cpuMs - b.cpuMs)
    const covered = new Set([load, ...passed.map(({ hits }) => hits)].flatMap(Object.keys))
    for (const id of covered) {
      const direct = passed.filter(({ hits }) => id in hits)
      // What ran while the file was loaded can matter to each of its tests.
      const rest = id in load ? passed.filter(({ hits }) => !(id in hits)) : []
      const all = [...direct, ...rest].map(({ index, ms, cpuMs, hits }) => ({
        index,
        ms,
        cpuMs,
        hits: hits[id] ?? load[id] ?? 0,
      }))
      if (all.length > 0) this.#of(id).push({ built, tests: all })
    }
  }

  /** The quickest first, but before all others the test of the module itself. */
  filesFor({ id, file }) {
    const own = file.replace(/^src\//, '/test/').replace(/\.ts$/, '.test.cjs')
    const isOwn = ({ built }) => (built.endsWith(own) ? 0 : 1)
    return this.#of(id).toSorted((a, b) => isOwn(a) - isOwn(b) || cpuOf(a) - cpuOf(b))
  }

  #of(id) {
    const files = this.#files.get(id) ?? []
    this.#files.set(id, files)
    return files
  }
}

const cpuOf = ({ tests }) => tests.reduce((sum, { cpuMs }) => sum + cpuMs, 0)

export const timeOf = ({ tests }) => tests.reduce((sum, { ms }) => sum + ms, 0)
