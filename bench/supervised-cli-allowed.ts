import { supervisedCli } from './harness/user/bare-cli.ts'
import { bareTurns } from './harness/user/bare-turns.ts'
import type { Figure } from './harness/figure.ts'

/** What the CLI itself takes for being supervised: no code of ours runs but that of this figure. */
export const figure: Figure = {
  id: 'P2u (allowed, the CLI alone)',
  title:
    'tool turn of the CLI on plain pipes with the flags, settings and hooks of a supervised session, allowed beforehand, model replies 150 ms late',
  reference: 'the same turn of a bare CLI, allowed beforehand',
  unit: 'ms',
  goal: { addedMax: 12 },
  run: () =>
    bareTurns((place) =>
      supervisedCli(place, { questions: 0, options: { allowedTools: ['Bash(touch:*)'] } }),
    ),
}
