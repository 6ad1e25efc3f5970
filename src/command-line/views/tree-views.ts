import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import { type Branch, nodesOf } from '../../tree/session-tree.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import { labelOf, oneLine } from './session-words.ts'

/** A turn in a line; a turn that was forked is indented below the turn that it follows. `*` is where a session continues. */
export function treeLines(
  { node, branches }: Branch,
  names: ReadonlyMap<string, Pick<Session, 'id' | 'name' | 'headNode'>>,
  depth = 0,
): string[] {
  const session = names.get(node.sessionId)
  const mark = session?.headNode === node.id ? '*' : ' '
  const label = labelOf(session ?? { id: node.sessionId, name: undefined })
  const line = `${'  '.repeat(depth)}${mark} ${node.id.slice(0, 8)}  ${label} turn ${node.turn}  ${oneLine(node.title)}`
  const deeper = branches.length > 1 ? depth + 1 : depth
  return [line.trimEnd(), ...branches.flatMap((branch) => treeLines(branch, names, deeper))]
}

/** The node that a person means: the number of a turn of this session, or the beginning of an id that `plexus tree` shows. */
export function nodeNamed(text: string, tree: readonly Branch[], { id, headNode }: Session): string {
  const nodes = tree.flatMap(nodesOf)
  const found = /^\d{1,3}$/.test(text)
    ? historyOf(nodes, headNode).filter(({ turn }) => turn === Number(text))
    : nodes.filter((node) => text.length >= MIN_PREFIX && node.id.startsWith(text.toLowerCase()))
  // A fork has turns of its own, and those of the session that it came from.
  const own = found.filter(({ sessionId }) => sessionId === id)
  const [first, ...others] = own.length > 0 ? own : found
  if (!first) throw new AppError('not_found', `There is no turn ${text} in its tree; plexus tree prints it.`)
  if (others.length === 0) return first.id
  throw new AppError(
    'invalid_input',
    `${text} may be several turns; use more of the id that plexus tree prints.`,
  )
}

/** The nodes from the beginning up to this one. */
function historyOf(nodes: readonly TreeNode[], headNode: string | undefined): TreeNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const history: TreeNode[] = []
  for (let node = byId.get(headNode ?? ''); node; node = byId.get(node.parentId ?? '')) history.push(node)
  return history
}

const MIN_PREFIX = 4
