import { approvalsByMcp } from './harness/user/approvals-by-mcp.ts'
import { supervisedCli } from './harness/user/bare-cli.ts'
import type { Figure } from './harness/figure.ts'

export const figure: Figure = {
  id: 'P16 (ours alone)',
  title:
    'an approval by claude_respond, which waits for the next, over stdio and a hub, of 20 in a turn, model replies at once',
  reference:
    'the same call of a CLI on plain pipes with the flags, settings and hooks of a supervised session, answered at once',
  unit: 'ms',
  goal: { addedMax: 6 },
  run: () => approvalsByMcp((place, questions) => supervisedCli(place, { questions })),
}
