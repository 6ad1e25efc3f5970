import { allowedCli } from './harness/user/bare-cli.ts'
import type { Figure } from './harness/figure.ts'
import { compareTurns } from './harness/user/turns-by-mcp.ts'

export const figure: Figure = {
  id: 'P2u',
  title:
    'tool turn by claude_say and claude_respond, which wait, over stdio and a hub, model replies 150 ms late',
  reference: 'the same turn of a bare CLI, allowed beforehand',
  unit: 'ms',
  goal: { addedMax: 22 },
  run: () => compareTurns({ pairs: 100, script: { calls: 1, delayMs: 150 }, questions: 1, bare: allowedCli }),
}
