import type { NodeStore, TreeNode } from '../../../tree/tree-node.ts'
import type { Connection } from '../connection/connection.ts'

export function sqliteNodes(db: Connection): NodeStore {
  const select = (column: 'id' | 'parent_id', value: string) =>
    db.all(`SELECT body FROM nodes WHERE ${column} = ? ORDER BY n`, [value]).map(nodeOf)
  return {
    get: async (id) => select('id', id)[0],
    children: async (id) => select('parent_id', id),
  }
}

export function putNode(db: Connection, node: TreeNode): void {
  db.run(
    `INSERT INTO nodes (id, session_id, parent_id, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id, parent_id = excluded.parent_id,
       body = excluded.body`,
    [node.id, node.sessionId, node.parentId ?? null, JSON.stringify(node)],
  )
}

function nodeOf({ body }: { body: string }): TreeNode {
  return JSON.parse(body)
}
