import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rulesToGrant, Remember } from '../../src/approvals/grants/remember.ts'
import { SCOPES } from '../../src/rules/exact/grant-scopes.ts'
import { compileRules } from '../../src/rules/compiled-rules.ts'
import { decideByList } from '../../src/rules/decide.ts'
import type { RuleCall } from '../../src/rules/rule-call.ts'
import { anApproval } from '../contracts/rows.ts'
import { asGrantId, asSessionId } from '../rig/tools/ids.ts'
import { aContext, bash } from './rules-rig.ts'

const cwd = '/code/web'
const place = { sessionId: asSessionId('s1'), topmostId: asSessionId('s1'), workingDirectory: cwd, turn: 3 }

/** What a grant that was made for one call says of another. */
function verdict(granted: RuleCall, remember: Remember, call: RuleCall, context = aContext({ turn: 3 })) {
  const asked = anApproval({ toolName: granted.toolName, input: { ...Object(granted.input) }, cwd })
  const rules = rulesToGrant(asked, place, { id: asGrantId('g'), remember, endsAt: Date.parse(END) }) ?? []
  return decideByList(call, context, compileRules(rules), 'granted')
}
const END = '2026-11-01T01:00:00Z'

const line = fc.oneof(
  fc.constantFrom(
    'git push',
    'npm test',
    'touch a',
    'echo hi > x',
    'for x in 1; do make; done',
    'a $(b)',
    'sh -c "x"',
  ),
  fc.stringMatching(/^[a-z]{1,6}( [a-z0-9./-]{1,6}){0,3}$/),
)
const join = fc.constantFrom(';', '&&', '||', '|', '|&', '&', '\n', ' ; ', ' && ', ' & ', '\n\n', ';\\\n')

test('[16] a grant decides the very call that it was made for, whatever the scope, and says so (asked for: 2)', () => {
  fc.assert(
    fc.property(line, fc.constantFrom(...SCOPES), (command, scope) => {
      expect(verdict(bash(command), scope, bash(command))).toMatchObject({
        effect: 'allow',
        drawer: 'granted',
        ruleId: 'g',
      })
    }),
  )
})

test('[16] a grant never allows a line that holds one more command (asked for: 2)', () => {
  fc.assert(
    fc.property(
      line,
      join,
      line,
      fc.boolean(),
      fc.constantFrom(...SCOPES),
      (command, by, more, first, scope) => {
        const joined = first ? `${more}${by}${command}` : `${command}${by}${more}`
        expect(verdict(bash(command), scope, bash(joined)).effect).toBe('none')
        for (const around of [`(${joined})`, `${command} $(${more})`, `${command} <<EOF\n$(${more})\nEOF`])
          expect(verdict(bash(command), scope, bash(around)).effect).toBe('none')
      },
    ),
    { numRuns: 500 },
  )
})

test('[16] nor does one with the suggested rules, if the other command is not covered by them', () => {
  const uncovered = fc.constantFrom('make', 'rm -r x', 'git status', 'x=1', '$x', '(git push', 'git push > x')
  fc.assert(
    fc.property(join, uncovered, fc.boolean(), (by, more, first) => {
      const joined = first ? `${more}${by}git push` : `git push${by}${more}`
      const context = aContext({ harmlessIsAllowed: false })
      expect(verdict(bash('git push'), 'suggested', bash(joined), context).effect).not.toBe('allow')
    }),
  )
  expect(verdict(bash('git push'), 'suggested', bash('git push origin main')).effect).toBe('allow')
})

test('[16] a grant holds where its scope says, and nowhere else (asked for: 2)', () => {
  const call = bash('touch a')
  const holds = (scope: Remember, changes: Parameters<typeof aContext>[0], other = call) =>
    verdict(call, scope, other, aContext({ turn: 3, ...changes })).effect === 'allow'
  const child = { sessions: [{ id: 's2' }, { id: 's1' }] }
  const stranger = { sessions: [{ id: 's9' }] }
  expect(SCOPES.map((scope) => holds(scope, {}))).toEqual([true, true, true, true, true])
  expect(SCOPES.map((scope) => holds(scope, { turn: 4 }))).toEqual([false, true, true, true, true])
  expect(SCOPES.map((scope) => holds(scope, { turn: undefined }))).toEqual([false, true, true, true, true])
  expect(SCOPES.map((scope) => holds(scope, child))).toEqual([false, false, true, true, true])
  expect(SCOPES.map((scope) => holds(scope, stranger))).toEqual([false, false, false, true, true])
  const below = bash('touch a', '/code/web/src')
  expect(SCOPES.map((scope) => holds(scope, {}, below))).toEqual([false, false, false, true, true])
  const elsewhere = bash('touch a', '/work')
  expect(SCOPES.map((scope) => holds(scope, {}, elsewhere))).toEqual([false, false, false, false, true])
  const nowhere = { toolName: 'Bash', input: { command: 'touch a' } }
  expect(SCOPES.map((scope) => holds(scope, {}, nowhere))).toEqual([false, false, false, false, true])
})

const at = (now: number) => verdict(bash('make'), 'always', bash('make'), aContext({ now })).effect

test('[9] a grant holds until its end, and from then on no more (asked for: 14)', () => {
  const end = Date.parse(END)
  expect([at(end - 1), at(end), at(end + 1)]).toEqual(['allow', 'none', 'none'])
})

const write = (path: string) => ({ toolName: 'Write', input: { file_path: path }, cwd })

test('[17] a grant for a file holds no more once the name leads into the home folder of Plexus', () => {
  expect(verdict(write('/code/web/x'), 'always', write('/code/web/x')).effect).toBe('allow')
  // `out` is a link to a folder above that home.
  expect(verdict(write('/code/web/out'), 'always', write('/code/web/out')).effect).toBe('none')
  const token = '/home/me/.local/state/plexus/operator.token'
  expect(verdict(write(token), 'always', write(token)).effect).toBe('none')
})
