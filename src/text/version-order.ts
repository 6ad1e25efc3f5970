/** Whether `version` precedes `than` in the order of semver. False if either is not a version. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [parseVersion(version), parseVersion(than)]
  if (!a || !b) return false
  for (const [index, part] of a.core.entries()) if (part !== b.core[index]) return part < (b.core[index] ?? 0)
  if (a.pre.length === 0 || b.pre.length === 0) return a.pre.length > 0
  return precedes(a.pre, b.pre)
}

/** Whether `version` is `minimum` or later. False if either is not a version. */
export function isAtLeast(version: string, minimum: string): boolean {
  return (
    parseVersion(version) !== undefined && parseVersion(minimum) !== undefined && !isOlder(version, minimum)
  )
}

function parseVersion(version: string): { core: number[]; pre: string[] } | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/.exec(version)
  if (!found) return undefined
  const [, major, minor, patch, pre] = found
  return { core: [major, minor, patch].map(Number), pre: pre?.split('.') ?? [] }
}

/** Numbers precede words; numbers are ordered by value, words by letter; a shorter list precedes a longer one. */
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
