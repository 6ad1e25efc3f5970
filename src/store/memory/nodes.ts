import type { NodeStore } from '../../tree/tree-node.ts'
import { copiesOf, copyOf, type Tables } from './tables.ts'

export function memoryNodes({ nodes }: Tables): NodeStore {
  return {
    get: async (id) => copyOf(nodes.get(id)),
    ofSession: async (sessionId) => copiesOf(nodes.values(), (node) => node.sessionId === sessionId),
    children: async (id) => copiesOf(nodes.values(), (node) => node.parentId === id),
  }
}
