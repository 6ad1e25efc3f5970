/** From what the tests cover to the tests that can notice a mutant. */
import { dirname } from 'node:path'

/** @typedef {{ index: number, ms: number, cpuMs: number, hits: number }} CoveringTest */
/** @typedef {{ built: string, tests: CoveringTest[], isLikely: boolean }} CoveringFile */

export class Coverage {
  /** By mutant. @type {Map<string, CoveringFile[]>} */
  #files = new Map()
  /** The module of each mutant. @type {ReadonlyMap<string, string>} */
  #modules

  /** @param {readonly { id: string, file: string }[]} mutants */
  constructor(mutants) {
    this.#modules = new Map(mutants.map(({ id, file }) => [id, file]))
  }

  /**
   * @param {{ file: string, built: string }} test
   * @param {{ load: Record<string, number>, tests: { index: number, ms: number, cpuMs: number, hits?: Record<string, number> }[] }} seen
   */
  add({ file, built }, { load, tests }) {
    const passed = tests.filter(({ hits }) => hits).toSorted((a, b) => a.cpuMs - b.cpuMs)
    const run = new Set(passed.flatMap(({ hits }) => Object.keys(hits)))
    const modules = new Set([...run].map((id) => this.#modules.get(id)))
    for (const id of new Set([...Object.keys(load), ...run])) {
      const module = this.#modules.get(id) ?? ''
      const direct = passed.filter(({ hits }) => id in hits)
      // What ran while the file was loaded can matter to each of its tests.
      const rest = id in load ? passed.filter(({ hits }) => !(id in hits)) : []
      const all = [...direct, ...rest].map(({ index, ms, cpuMs, hits }) => ({
        index,
        ms,
        cpuMs,
        hits: hits[id] ?? load[id] ?? 0,
      }))
      const isLikely = direct.length > 0 || modules.has(module) || dirname(file) === folderOfTests(module)
      if (all.length > 0) this.#of(id).push({ built, tests: all, isLikely })
    }
  }

  /**
   * The quickest first, but before all others the test of the module itself. A file that only loads the module is left
   * out, unless no other does more: nearly every test loads nearly every schema.
   */
  filesFor({ id, file }) {
    const own = testOf(file).replace(/\.ts$/, '.cjs')
    const isOther = ({ built }) => (built.endsWith(`/${own}`) ? 0 : 1)
    const all = this.#of(id)
    const likely = all.filter(({ isLikely }) => isLikely)
    return (likely.length > 0 ? likely : all).toSorted(
      (a, b) => isOther(a) - isOther(b) || cpuOf(a) - cpuOf(b),
    )
  }

  #of(id) {
    const files = this.#files.get(id) ?? []
    this.#files.set(id, files)
    return files
  }
}

const testOf = (module) => module.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts')

const folderOfTests = (module) => dirname(testOf(module))

const cpuOf = ({ tests }) => tests.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
