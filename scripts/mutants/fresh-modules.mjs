/** Loads a built test file with fresh copies of all modules of ours; packages are shared. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { constants, Script } from 'node:vm'

/** Compiled once, run for each copy. */
const scripts = new Map()

/**
 * @param {string} entry
 * @param {ReadonlyMap<string, unknown>} given what these packages are here
 */
export function loadFresh(entry, given) {
  const modules = new Map()

  function load(path) {
    const known = modules.get(path)
    if (known) return known.exports
    const module = { exports: {} }
    modules.set(path, module)
    const outside = createRequire(path)
    const require = (name) => {
      if (given.has(name)) return given.get(name)
      return name.startsWith('.') ? load(join(dirname(path), name)) : outside(name)
    }
    compiled(path)(module.exports, require, module, path, dirname(path))
    return module.exports
  }

  return load(entry)
}

function compiled(path) {
  let script = scripts.get(path)
  if (!script) {
    const code = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`
    script = new Script(code, {
      filename: path,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    scripts.set(path, script)
  }
  return script.runInThisContext()
}
