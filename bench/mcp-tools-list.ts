import type { Figure } from './harness/figure.ts'
import { mcpStart } from './harness/user/mcp-start.ts'

export const figure: Figure = {
  id: 'P3 (tools)',
  title: '`plexus mcp --standalone` from its start to the list of its tools',
  reference: 'a JSON-RPC responder of 20 lines, with one tool',
  unit: 'ms',
  goal: { max: 1.8 },
  run: () => mcpStart('tools/list'),
}
