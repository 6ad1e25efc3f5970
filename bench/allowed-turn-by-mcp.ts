import { allowedCli } from './harness/user/bare-cli.ts'
import type { Figure } from './harness/figure.ts'
import { compareTurns } from './harness/user/turns-by-mcp.ts'

export const figure: Figure = {
  id: 'P2u (allowed)',
  title:
    'tool turn by claude_say, which waits, over stdio and a hub, allowed beforehand, model replies 150 ms late',
  reference: 'the same turn of a bare CLI',
  unit: 'ms',
  goal: { addedMax: 12 },
  run: () =>
    compareTurns({
      pairs: 100,
      script: { calls: 1, delayMs: 150 },
      options: { allowedTools: ['Bash(touch:*)'] },
      questions: 0,
      bare: allowedCli,
    }),
}
