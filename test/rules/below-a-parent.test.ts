import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StartOptions } from '../../src/child/launch/start-options.ts'
import { parseRules, type RulesNow } from '../../src/rules/rules-file.ts'
import type { Verdict } from '../../src/rules/verdict.ts'
import { HomeGrants } from '../../src/sessions/in-advance/home-grants.ts'
import { HubTime } from '../../src/sessions/in-advance/hub-time.ts'
import { SessionGrants } from '../../src/sessions/in-advance/session-grants.ts'
import { SessionRules } from '../../src/sessions/in-advance/session-rules.ts'
import { initialSessionState } from '../../src/sessions/record/session-state.ts'
import { aSession } from '../contracts/rows.ts'
import { asSessionId } from '../rig/tools/ids.ts'
import { runs } from '../rig/tools/property-runs.ts'
import { aContext } from './rules-rig.ts'

const STRICTNESS: readonly (Verdict['effect'] | undefined)[] = [undefined, 'allow', 'ask', 'deny', 'forbid']
const NAMES = ['top', 'middle', 'low'] as const
const PROGRAMS = ['make', 'ninja', 'cargo'] as const

const rule = fc
  .record({
    effect: fc.constantFrom('allow', 'deny', 'ask'),
    command: fc.subarray([...PROGRAMS], { minLength: 1 }),
    session: fc.option(fc.subarray([...NAMES], { minLength: 1 }), { nil: undefined }),
    tree: fc.option(fc.subarray([...NAMES], { minLength: 1 }), { nil: undefined }),
  })
  .map(({ session, tree, ...rest }) => ({
    ...rest,
    because: 'No.',
    ...(session ? { session } : {}),
    ...(tree ? { tree } : {}),
  }))
const numbered = (rules: readonly object[]) => rules.map((one, n) => ({ id: `r${n}`, ...one }))

/** The rules as a session sees them, with the sessions above it. */
function rulesFor(level: number, home: RulesNow, own: readonly object[] = []): SessionRules {
  // A start option may only refuse and ask.
  const narrow = numbered(own).filter((one) => !('effect' in one && one.effect === 'allow'))
  const parsed = parseRules(JSON.stringify({ v: 1, rules: narrow }))
  const config = {
    ...aSession().config,
    rules: parsed.rules.rules.map(({ rule: one }) => one) as NonNullable<StartOptions['rules']>,
  }
  const session = aSession({ id: NAMES[level] ?? '', name: NAMES[level], config })
  const parts = new SessionRules({
    session: () => session,
    state: () => initialSessionState,
    environment: { rules: () => home, env: {} },
    grants: new SessionGrants(
      new HomeGrants({ time: new HubTime(), onOver: () => {} }),
      () => initialSessionState,
    ),
  })
  parts.ancestors = NAMES.slice(0, level)
    .map((name) => ({ id: asSessionId(name), name }))
    .toReversed()
  return parts
}

test('[15] (asked for: 7) whatever the rules are, a session below is allowed nothing that a session above may not do', () => {
  const { place } = aContext()
  const holds = fc.property(
    fc.array(rule, { maxLength: 6 }),
    fc.array(rule, { maxLength: 2 }),
    fc.array(fc.constantFrom(...PROGRAMS), { minLength: 1, maxLength: 3 }),
    (rules, own, programs) => {
      const home: RulesNow = { rules: parseRules(JSON.stringify({ v: 1, rules: numbered(rules) })) }
      const call = { toolName: 'Bash', input: { command: programs.join(' && ') }, cwd: '/code/web' }
      const effects = NAMES.map(
        (_, level) => rulesFor(level, home, level === 2 ? own : []).decided(call, place)?.effect,
      )
      return effects.every((effect, level) =>
        effects.slice(0, level).every((above) => {
          if (above !== 'deny' && above !== 'ask') return true
          return effect !== 'allow' && STRICTNESS.indexOf(effect) >= STRICTNESS.indexOf(above)
        }),
      )
    },
  )
  expect(fc.check(holds, { numRuns: runs(500) })).toMatchObject({ failed: false })
})
