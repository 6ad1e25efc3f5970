/** Whether two values of JSON are equal; the order of fields does not count. It runs in a browser too. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [one, other]: Readonly<Record<string, unknown>>[] = [{ ...a }, { ...b }]
  const [names, others] = [definedNames(one), definedNames(other)]
  return names.length === others.length && names.every((name) => isSameJson(one?.[name], other?.[name]))
}

/** JSON has no undefined: such a field is none. */
function definedNames(value: Readonly<Record<string, unknown>> = {}): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined)
}
