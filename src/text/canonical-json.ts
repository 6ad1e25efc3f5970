/**
 * JSON in which every object has its keys in order (by UTF-16 code units), without spaces: equal values have equal text, so that
 * it can be hashed. What JSON cannot hold is omitted, as `JSON.stringify` does. Written with loops, because an answer waits for it.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`
  const fields: Readonly<Record<string, unknown>> = { ...value }
  let text = ''
  for (const key of Object.keys(fields).toSorted()) {
    const field = fields[key]
    if (field === undefined) continue
    const name = /^\w+$/.test(key) ? `"${key}"` : JSON.stringify(key)
    text += `${text === '' ? '' : ','}${name}:${canonicalJson(field)}`
  }
  return `{${text}}`
}
