/** A set from a list of words, because that is easiest to read. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s/).filter((word) => word !== ''))
}
