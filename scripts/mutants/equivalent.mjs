/** Mutants that change nothing anybody could notice, as they are written down in equivalent.json. */

/** @typedef {{ file: string, line: string, original: string, replacement: string, reason: string }} Equivalent */

/** Without line numbers, so that an entry outlives changes elsewhere in the file. */
export const isSame = (entry, mutant) =>
  ['file', 'line', 'original', 'replacement'].every((key) => entry[key] === mutant[key])

/**
 * @param {readonly Equivalent[]} entries
 * @param {readonly { file: string }[]} mutants
 * @param {ReadonlySet<string>} files that were looked at
 */
export function compareWithEquivalent(entries, mutants, files) {
  const equivalent = new Set(mutants.filter((mutant) => entries.some((entry) => isSame(entry, mutant))))
  const gone = entries.filter(
    (entry) => files.has(entry.file) && !mutants.some((mutant) => isSame(entry, mutant)),
  )
  return { equivalent, gone }
}
