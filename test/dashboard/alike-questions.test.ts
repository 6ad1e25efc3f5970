import { expect, test } from 'vitest'
import { mayAllowTogether } from '../../dashboard/src/inbox/alike-questions.ts'

const asked = (toolName: string, inputSha256: string, kind: 'tool' | 'plan' = 'tool') => ({
  kind,
  toolName,
  inputSha256,
})

test('commands may be allowed together, plans may not', () => {
  expect(mayAllowTogether([asked('Bash', 'a'), asked('Bash', 'b'), asked('mcp__x__y', 'c')])).toBe(true)
  expect(mayAllowTogether([asked('Bash', 'a'), asked('ExitPlanMode', 'b', 'plan')])).toBe(false)
})

test.each(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])(
  'different changes by %s are read one by one; the very same one may be allowed together',
  (tool) => {
    expect(mayAllowTogether([asked(tool, 'a'), asked(tool, 'b')])).toBe(false)
    expect(mayAllowTogether([asked(tool, 'a'), asked(tool, 'a'), asked('Bash', 'c')])).toBe(true)
  },
)
