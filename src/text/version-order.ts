/** Whether one version of ours comes before another, as semver has it. What makes no sense is not older. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [parseVersion(version), parseVersion(than)]
  if (!a || !b) return false
  for (const [index, part] of a.core.entries()) if (part !== b.core[index]) return part < (b.core[index] ?? 0)
  if (a.pre.length === 0 || b.pre.length === 0) return a.pre.length > 0
  return precedes(a.pre, b.pre)
}

function parseVersion(version: string): { core: number[]; pre: string[] } | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/.exec(version)
  if (!found) return undefined
  const [, major, minor, patch, pre] = found
  return { core: [major, minor, patch].map(Number), pre: pre?.split('.') ?? [] }
}

/** Numbers before words, numbers by value, words by letter, and who has less to say first. */
function precedes(a: readonly string[], b: readonly string[]): boolean {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) return false
    if (part === other) continue
    const [isNumber, otherIs] = [part, other].map((text) => /^\d+$/.test(text))
    if (isNumber !== otherIs) return isNumber === true
    return isNumber ? Number(part) < Number(other) : part < other
  }
  return a.length < b.length
}
