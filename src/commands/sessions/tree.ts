import type { CommandCall } from '../../command-line/command.ts'
import { oneLine } from '../../command-line/views/session-words.ts'
import type { Branch } from '../../tree/session-tree.ts'

export async function run({ args: [sessionId = ''], out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('reads')
  const branches = await engine.tree(context, { sessionId })
  if (out.isJson) return out.json({ tree: branches })
  if (branches.length === 0) return out.say('No turn of it has ended yet, so there is no tree.')
  for (const branch of branches) for (const line of treeLines(branch)) out.line(line)
}

/** A turn in a line; a turn that was forked is indented below the turn that it follows. */
export function treeLines({ node, branches }: Branch, depth = 0): string[] {
  const label = `${node.sessionId.slice(0, 8)} turn ${node.turn}  ${oneLine(node.title)}`.trimEnd()
  const deeper = branches.length > 1 ? depth + 1 : depth
  return [`${'  '.repeat(depth)}${label}`, ...branches.flatMap((branch) => treeLines(branch, deeper))]
}
