import { expect, test } from 'vitest'
import type { Answer } from '../../../src/approvals/answer.ts'
import type { Grant } from '../../../src/approvals/grants/grant.ts'
import type { Rule } from '../../../src/rules/rule.ts'
import type { Approval } from '../../../src/approvals/approval.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { requireOwnPermission } from '../../../src/engine/access/remember-limits.ts'
import { anApproval, aSession } from '../../contracts/rows.ts'

type OwnGrant = Pick<Grant, 'rules' | 'scope' | 'endsAt'>
const granting = (...rules: Omit<Rule, 'id' | 'effect'>[]): OwnGrant => ({
  scope: 'session',
  rules: rules.map((rule) => ({ id: 'g', effect: 'allow', ...rule })),
})
const ALLOW: Answer = { answers: ['allow'] }
const refused = (
  own: { config?: Partial<StartOptions>; permissionMode?: string; grants?: OwnGrant[] },
  approval: Partial<Approval>,
  answer: Answer = ALLOW,
) => {
  const { grants = [], ...fields } = own
  const session = aSession({ ...fields, config: StartOptions.parse(own.config ?? {}) })
  try {
    requireOwnPermission({ session, grants }, anApproval(approval), answer)
    return undefined
  } catch (error) {
    return error
  }
}
const FORBIDDEN = { code: 'forbidden', message: expect.stringContaining('escalate') as string }
const push = { input: { command: 'git push' } }

test('a session may allow its children what it may do itself', () => {
  expect(refused({}, push)).toBeUndefined()
  expect(refused({ config: { disallowedTools: ['WebFetch', 'Bash(rm:*)'] } }, push)).toBeUndefined()
})

test('a session may not allow what its own rules disallow, neither the input asked for nor an edited input', () => {
  const config = { disallowedTools: ['Bash(git push:*)'] }
  expect(refused({ config }, push)).toMatchObject(FORBIDDEN)
  expect(refused({ config }, push, { answers: ['deny'] })).toBeUndefined()
  const edited = { ...ALLOW, updatedInput: { command: 'git push' } }
  expect(refused({ config }, { input: { command: 'ls' } }, edited)).toMatchObject(FORBIDDEN)
  const harmless = { ...ALLOW, updatedInput: { command: 'ls' } }
  expect(refused({ config }, push, harmless)).toMatchObject(FORBIDDEN)
})

test('a session in plan mode may allow only reading, and approves no plan', () => {
  const planning = { permissionMode: 'plan' }
  expect(refused(planning, push)).toMatchObject(FORBIDDEN)
  expect(refused({ config: { permissionMode: 'plan' } }, push)).toMatchObject(FORBIDDEN)
  expect(refused(planning, { toolName: 'Read', input: { file_path: '/a' } })).toBeUndefined()
  const plan = { kind: 'plan', toolName: 'ExitPlanMode', input: { plan: 'x' } } as const
  expect(refused(planning, plan, { answers: ['approve'] })).toMatchObject(FORBIDDEN)
  expect(refused(planning, plan, { answers: ['reject'] })).toBeUndefined()
  expect(refused({}, plan, { answers: ['approve'] })).toBeUndefined()
})

const dontAsk = (allowedTools: string[] = []) =>
  ({ config: { permissionMode: 'dontAsk', allowedTools } }) as const

test('S29: a session in dontAsk may allow only what a rule allows itself', () => {
  expect(refused(dontAsk(), push)).toMatchObject(FORBIDDEN)
  expect(refused({ permissionMode: 'dontAsk' }, push)).toMatchObject(FORBIDDEN)
  expect(refused(dontAsk(), { toolName: 'Read', input: { file_path: '/a' } })).toMatchObject(FORBIDDEN)
  expect(refused(dontAsk(['Bash(git push *)']), push)).toMatchObject(FORBIDDEN)
  expect(refused(dontAsk(['Write']), { toolName: 'Write', input: { file_path: '/a' } })).toBeUndefined()
  expect(refused(dontAsk(), push, { answers: ['deny'] })).toBeUndefined()
  const having = (...grants: OwnGrant[]) => refused({ ...dontAsk(), grants }, push)
  expect(having(granting({ host: ['a.example'] }, { tool: ['Bash'] }))).toBeUndefined()
  for (const narrower of [
    { tool: ['Write'] },
    { tool: ['Bash'], command: ['git push'] },
    { exact: { toolName: 'Bash', subject: 'git push' } },
    { tool: ['Bash'], exact: { toolName: 'Bash', subject: 'git push' } },
  ])
    expect(having(granting(narrower))).toMatchObject(FORBIDDEN)
  const plan = { kind: 'plan', toolName: 'ExitPlanMode', input: { plan: 'x' } } as const
  expect(refused(dontAsk(), plan, { answers: ['approve'] })).toMatchObject(FORBIDDEN)
  const question = { kind: 'question', toolName: 'AskUserQuestion', input: {} } as const
  expect(refused(dontAsk(), question, { answers: ['blue'] })).toBeUndefined()
})

test('S26: a session may remember an answer only for calls that it is not asked about itself', () => {
  const cwd = '/project'
  const call = { ...push, cwd }
  const exact: Answer = { ...ALLOW, remember: 'session' }
  const wide: Answer = { ...ALLOW, remember: 'suggested' }
  const may = (own: Parameters<typeof refused>[0], asked: Partial<Approval>) =>
    [exact, wide].map((answer) => refused(own, asked, answer) === undefined)
  const push1 = { exact: { toolName: 'Bash', subject: 'git push', folder: cwd } }
  const granted = granting(push1)
  const allowed = { config: { allowedTools: ['Bash(git push *)'] } }
  expect(may({}, call)).toEqual([false, false])
  // Only the CLI knows how it matches a rule: it may still ask, for example in a folder outside its own.
  expect(may(allowed, call)).toEqual([false, false])
  expect(may({ grants: [granted] }, call)).toEqual([true, false])
  expect(may({ grants: [granted] }, { ...call, cwd: '/elsewhere' })).toEqual([false, false])
  expect(may({ ...allowed, grants: [granted] }, call)).toEqual([true, true])
  expect(may({ config: { allowedTools: ['Bash(git *)'] }, grants: [granted] }, call)).toEqual([true, false])
  const wider = granting(push1, { tool: ['Bash'], command: ['git push *'] })
  expect(may({ grants: [wider] }, call)).toEqual([true, true])
  expect(may({ config: { allowedTools: ['Bash'] } }, call)).toEqual([true, true])
  const { folder: _, ...anywhere } = push1.exact
  const inFolder = granting({ exact: anywhere, folder: cwd })
  expect(may({ grants: [inFolder] }, { ...call, cwd: `${cwd}/sub` })).toEqual([true, false])
  expect(may({ grants: [inFolder] }, { ...call, cwd: '/elsewhere' })).toEqual([false, false])
  expect(may({ grants: [inFolder] }, push), 'nobody knows where it would run').toEqual([false, false])
  // What ends for itself, it may not give for longer; and no rule that it was only offered.
  expect(may({ grants: [{ ...wider, endsAt: 5 }] }, call)).toEqual([false, false])
  expect(may({ grants: [{ ...wider, scope: 'turn' }] }, call)).toEqual([false, false])
  expect(refused({ grants: [wider] }, call, { ...exact, rememberRule: 'r' })).toMatchObject(FORBIDDEN)
})

test('of a rule for several commands it must have every part itself', () => {
  const cwd = '/project'
  const command = 'git push && npm test'
  const call = { input: { command }, cwd }
  const granted = granting({ exact: { toolName: 'Bash', subject: command, folder: cwd } })
  const wide: Answer = { ...ALLOW, remember: 'suggested' }
  const having = (...allowedTools: string[]) =>
    refused({ config: { allowedTools }, grants: [granted] }, call, wide)
  expect(having('Bash(git push *)')).toMatchObject(FORBIDDEN)
  expect(having('Bash(npm test *)')).toMatchObject(FORBIDDEN)
  expect(having('Bash(npm test *)', 'Bash(git push *)')).toBeUndefined()
})
