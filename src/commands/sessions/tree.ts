import type { CommandCall } from '../../command-line/command.ts'
import { cut } from '../../command-line/views/columns.ts'
import { treeLines } from '../../command-line/views/tree-views.ts'
import type { Session } from '../../sessions/record/session.ts'
import { nodesOf } from '../../tree/session-tree.ts'

export async function run({ args: [sessionId = ''], flags, out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('reads')
  const branches = await engine.tree(context, { sessionId })
  if (out.isJson) return out.json({ tree: branches })
  const nodes = branches.flatMap(nodesOf)
  if (flags.isSet('quiet')) return nodes.forEach(({ id }) => out.line(id))
  if (nodes.length === 0) return out.say('No turn of it has ended yet, so there is no tree.')
  const sessions = new Map<string, Session>()
  for (const id of new Set(nodes.map((node) => node.sessionId)))
    sessions.set(id, await engine.getSession(context, { sessionId: id }))
  for (const branch of branches)
    for (const line of treeLines(branch, sessions)) out.line(cut(line, out.columns))
}
