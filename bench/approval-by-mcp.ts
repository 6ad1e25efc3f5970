import { askingCli } from './harness/user/bare-cli.ts'
import type { Figure } from './harness/figure.ts'
import { compareTurns } from './harness/user/turns-by-mcp.ts'

const APPROVALS = 20

export const figure: Figure = {
  id: 'P16',
  title:
    'an approval by claude_respond, which waits for the next, over stdio and a hub, of 20 in a turn, model replies at once',
  reference: 'the same call of a bare CLI, its hook and its question answered at once on plain pipes',
  unit: 'ms',
  goal: { addedMax: 6 },
  run: async () => {
    const turns = await compareTurns({
      pairs: 40,
      script: { calls: APPROVALS, delayMs: 0 },
      questions: APPROVALS,
      clears: true,
      bare: (place) => askingCli(place, APPROVALS),
    })
    const perApproval = (values: readonly number[]) => values.map((ms) => ms / APPROVALS)
    return { ours: perApproval(turns.ours), reference: perApproval(turns.reference) }
  },
}
