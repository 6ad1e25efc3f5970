/**
 * JSON in which every object has its keys in order (by UTF-16 code units), without spaces: equal values have equal text, so that
 * it can be hashed. What JSON cannot hold is omitted, as `JSON.stringify` does. Written with loops, because an answer waits for it.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += (text === '' ? '' : ',') + canonicalJson(item)
    return `[${text}]`
  }
  for (const key of Object.keys(value).toSorted()) {
    const field = value[key]
    if (field !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${canonicalJson(field)}`
  }
  return `{${text}}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Most texts are short and need no escapes: to see that takes less time than to look for them. */
function quoted(text: string): string {
  return text.length <= MAX_SHORT && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

const MAX_SHORT = 200
/** ASCII but for control characters, the quotation mark and the backslash. */
const PLAIN = /^[ !#-[\]-~]*$/
