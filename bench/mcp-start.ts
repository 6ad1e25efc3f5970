import type { Figure } from './harness/figure.ts'
import { mcpStart } from './harness/user/mcp-start.ts'

export const figure: Figure = {
  id: 'P3',
  title: '`plexus mcp --standalone` from its start to the answer of initialize',
  reference: 'a JSON-RPC responder of 20 lines',
  unit: 'ms',
  goal: { max: 1.8 },
  run: () => mcpStart('initialize'),
}
