type DefinedFields<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** Omits the fields that are null or undefined. */
export function definedFields<T extends object>(fields: T): DefinedFields<T> {
  const kept: DefinedFields<T> = {}
  for (const key in fields) {
    const value = fields[key]
    if (value !== undefined && value !== null) kept[key] = value
  }
  return kept
}
