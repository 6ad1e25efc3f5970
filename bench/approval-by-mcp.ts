import { approvalsByMcp } from './harness/user/approvals-by-mcp.ts'
import { askingCli } from './harness/user/bare-cli.ts'
import type { Figure } from './harness/figure.ts'

export const figure: Figure = {
  id: 'P16',
  title:
    'an approval by claude_respond, which waits for the next, over stdio and a hub, of 20 in a turn, model replies at once',
  reference: 'the same call of a bare CLI, its hook and its question answered at once on plain pipes',
  unit: 'ms',
  goal: { addedMax: 6 },
  run: () => approvalsByMcp(askingCli),
}
