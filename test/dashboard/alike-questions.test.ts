import { expect, test } from 'vitest'
import { mayAllowTogether } from '../../dashboard/src/inbox/alike-questions.ts'

const asked = (toolName: string, inputSha256: string, kind: 'tool' | 'plan' = 'tool') => ({
  kind,
  toolName,
  inputSha256,
})

test('commands may be allowed together, plans may not', () => {
  expect(mayAllowTogether([asked('Bash', 'a'), asked('Bash', 'b'), asked('mcp__x__y', 'c')], undefined)).toBe(
    true,
  )
  expect(mayAllowTogether([asked('Bash', 'a'), asked('ExitPlanMode', 'b', 'plan')], undefined)).toBe(false)
})

test.each(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])(
  'a change by %s is allowed with others only while it is shown itself',
  (tool) => {
    const [one, two] = [asked(tool, 'a'), asked(tool, 'b')]
    expect(mayAllowTogether([one], undefined)).toBe(false)
    expect(mayAllowTogether([one], two)).toBe(false)
    expect(mayAllowTogether([one, two], one)).toBe(false)
    expect(mayAllowTogether([one, { ...one }, asked('Bash', 'c')], one)).toBe(true)
    expect(mayAllowTogether([one, asked('Bash', 'c')], asked('Bash', 'c'))).toBe(false)
  },
)
