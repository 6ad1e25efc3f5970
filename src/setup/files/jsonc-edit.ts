import { isDeepStrictEqual } from 'node:util'
import { type JsonNode, parseJsonc } from './jsonc.ts'
import { insertPart, removePart, replaceNode } from './jsonc-parts.ts'

/** Changes to the text of a JSON file with comments: one part is added, replaced or removed, and all other bytes stay. */

/** Keys of objects, and places in lists. */
type Path = readonly (string | number)[]

/** A file that is empty or not there yet. */
const NO_TEXT = '{}\n'

/** The value at a path of keys; undefined if there is none. */
export function valueAt(text: string, path: Path): unknown {
  return nodeAt(rootOf(text), path)?.value
}

export function withMember(text: string, path: Path, value: unknown): string {
  const base = startOf(text)
  const root = rootOf(base)
  const existing = nodeAt(root, path)
  if (existing) return replaceNode(base, root, existing, value)
  const { container, missing } = deepest(root, path)
  const [key = '', ...inner] = missing.map(String)
  return insertPart(base, root, container, { key, value: inner.reduceRight(asOnlyMember, value) })
}

/** Removes a member of an object or an item of a list. */
export function withoutMember(text: string, path: Path): string {
  const root = rootOf(text)
  const container = nodeAt(root, path.slice(0, -1))
  const last = path.at(-1)
  const index = container?.parts.findIndex(({ key }, place) => (key ?? place) === last) ?? -1
  return container && index >= 0 ? removePart(text, container, index) : text
}

/** Adds an item to a list, unless it is there. */
export function withItem(text: string, path: Path, item: unknown): string {
  const base = startOf(text)
  const root = rootOf(base)
  const list = nodeAt(root, path)
  if (!list) return withMember(text, path, [item])
  if (list.kind !== 'array') throw new SyntaxError(`${path.join('.')} is no list`)
  if (list.parts.some(({ node }) => isDeepStrictEqual(node.value, item))) return text
  return insertPart(base, root, list, { value: item })
}

export function withoutItem(text: string, path: Path, item: string): string {
  const list = nodeAt(rootOf(text), path)
  const index = list?.kind === 'array' ? list.parts.findIndex(({ node }) => node.value === item) : -1
  return list && index >= 0 ? withoutItem(removePart(text, list, index), path, item) : text
}

/** Removes the member if nothing is in it. */
export function withoutEmpty(text: string, path: Path): string {
  const value = valueAt(text, path)
  return isDeepStrictEqual(value, {}) || isDeepStrictEqual(value, []) ? withoutMember(text, path) : text
}

function startOf(text: string): string {
  return text.trim() === '' ? NO_TEXT : text
}

function rootOf(text: string): JsonNode {
  const root = parseJsonc(startOf(text))
  if (root.kind !== 'object') throw new SyntaxError('it is no object')
  return root
}

function nodeAt(node: JsonNode, path: Path): JsonNode | undefined {
  const { container, missing } = deepest(node, path)
  return missing.length === 0 ? container : undefined
}

/** How far a path leads. A name that stands twice in an object on the way is refused: which of them counts is not ours to say. */
function deepest(node: JsonNode, path: Path): { container: JsonNode; missing: Path } {
  const [key, ...rest] = path
  if (key === undefined) return { container: node, missing: [] }
  const item = node.kind === 'array' && typeof key === 'number' ? node.parts[key] : undefined
  if (item) return deepest(item.node, rest)
  if (node.kind !== 'object') throw new SyntaxError(`no object is where ${key} belongs`)
  const [found, second] = node.parts.filter((part) => part.key === key)
  if (second) throw new SyntaxError(`${key} stands there twice`)
  return found ? deepest(found.node, rest) : { container: node, missing: path }
}

function asOnlyMember(value: unknown, key: string): unknown {
  return { [key]: value }
}
