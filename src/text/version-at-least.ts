/** Whether `version` (such as 2.1.197) is `minimum` or later. */
export function isAtLeast(version: string, minimum: string): boolean {
  const needed = minimum.split('.').map(Number)
  for (const [index, part] of version.split('.').map(Number).entries())
    if (part !== needed[index]) return part > (needed[index] ?? 0)
  return true
}
