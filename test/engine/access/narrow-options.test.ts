import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PERMISSION_MODES } from '../../../src/base/permission-modes.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { modeOf, narrowToParent, requireModeWithin } from '../../../src/engine/access/narrow-options.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { aSession } from '../../contracts/rows.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

type Options = Parameters<typeof StartOptions.parse>[0]

const parentIn = (workingDirectory: string, config: Options = {}, more: Partial<Session> = {}) =>
  aSession({ workingDirectory, config: StartOptions.parse(config), ...more })

/** The options of a child, or the error. The parent works in the root folder, so every folder is within its own. */
const childOf = (config: Options, options: Options, more: Partial<Session> = {}) =>
  narrowToParent(parentIn('/', config, more), { options: StartOptions.parse(options) })
const refusedBy = (config: Options, options: Options) => () => childOf(config, options)
const TOO_MUCH = /would be more; leave it out\.$/

describe('folders', () => {
  test('a folder that a session names for one below it is meant from its own', async () => {
    const workingDirectory = await temporaryFolder()
    await mkdir(join(workingDirectory, 'part'))
    await mkdir(join(workingDirectory, '..part'))
    const parent = parentIn(workingDirectory)
    const folderFor = (folder?: string) =>
      narrowToParent(parent, { options: StartOptions.parse({ workingDirectory: folder }) }).options
        .workingDirectory
    expect(folderFor('part')).toBe(join(workingDirectory, 'part'))
    expect(folderFor('..part')).toBe(join(workingDirectory, '..part'))
    expect(folderFor()).toBe(workingDirectory)
    expect(() => folderFor('..')).toThrow(TOO_MUCH)
    expect(() => folderFor('/')).toThrow(TOO_MUCH)
    expect(() => folderFor('../..')).toThrow(TOO_MUCH)
  })

  test('folders to be added are within those of the parent, whichever way they are named', async () => {
    const root = await temporaryFolder()
    for (const name of ['own', 'own/sub', 'own/sub/deep', 'added', 'other']) await mkdir(join(root, name))
    await symlink(join(root, 'other'), join(root, 'own/link'))
    const parent = parentIn(join(root, 'own'), { addDirs: ['../added'] })
    const added = (workingDirectory: string, ...addDirs: string[]) =>
      narrowToParent(parent, { options: StartOptions.parse({ workingDirectory, addDirs }) }).options.addDirs
    // From where the child works, as the CLI takes them.
    expect(added('sub', 'deep', '../../added')).toEqual([join(root, 'own/sub/deep'), join(root, 'added')])
    expect(added('../added', '../own')).toEqual([join(root, 'own')])
    expect(() => added('sub', 'deep', '../../other')).toThrow(TOO_MUCH)
    expect(() => added('sub', '../link')).toThrow(TOO_MUCH)
    expect(childOf({}, {}).options).not.toHaveProperty('addDirs')
  })

  test('a worktree is made within the folders of the parent, or not at all', async () => {
    const root = await temporaryFolder()
    await mkdir(join(root, 'repository/.git'), { recursive: true })
    await mkdir(join(root, 'repository/sub'))
    await mkdir(join(root, 'plain'))
    const start = (folder: string, worktree: boolean) =>
      narrowToParent(parentIn(join(root, folder)), {
        options: StartOptions.parse(worktree ? { worktree } : {}),
      }).options.workingDirectory
    expect(start('repository', true)).toBe(join(root, 'repository'))
    expect(() => start('repository/sub', true)).toThrow(TOO_MUCH)
    expect(() => start('plain', true)).toThrow('a worktree')
    expect(start('repository/sub', false)).toBe(join(root, 'repository/sub'))
  })
})

describe('tools', () => {
  test('a child is not allowed more rules than its parent', () => {
    const rules = { allowedTools: ['Read', 'Bash(git diff *)'] }
    expect(childOf(rules, { allowedTools: ['Read'] }).options.allowedTools).toEqual(['Read'])
    expect(childOf(rules, {}).options.allowedTools).toBeUndefined()
    expect(refusedBy(rules, { allowedTools: ['Read', 'Write'] })).toThrow('allowedTools Write would be more')
    expect(refusedBy({}, { allowedTools: ['Read'] })).toThrow(TOO_MUCH)
  })

  test('a child has no tool that its parent lacks, and without a word has those of its parent', () => {
    const few = { tools: ['Read', 'Grep'] }
    expect(childOf(few, {}).options.tools).toEqual(['Read', 'Grep'])
    expect(childOf(few, { tools: ['Read'] }).options.tools).toEqual(['Read'])
    expect(childOf(few, { tools: [] }).options.tools).toEqual([])
    expect(refusedBy(few, { tools: ['Read', 'Bash'] })).toThrow('tools Bash would be more')
    expect(refusedBy({ tools: [] }, { tools: ['Read'] })).toThrow(TOO_MUCH)
    expect(childOf({}, { tools: ['Bash'] }).options.tools).toEqual(['Bash'])
    expect(childOf({}, {}).options).not.toHaveProperty('tools')
  })

  test('what is disallowed to the parent is disallowed to the child too', () => {
    const barred = { disallowedTools: ['WebFetch', 'Bash(rm *)'] }
    expect(childOf(barred, {}).options.disallowedTools).toEqual(['WebFetch', 'Bash(rm *)'])
    expect(childOf(barred, { disallowedTools: ['Write', 'WebFetch'] }).options.disallowedTools).toEqual([
      'WebFetch',
      'Bash(rm *)',
      'Write',
    ])
    expect(childOf({}, { disallowedTools: ['Write'] }).options.disallowedTools).toEqual(['Write'])
    expect(childOf({}, {}).options).not.toHaveProperty('disallowedTools')
  })

  test('an MCP server is one that the parent was given, the same in every part', () => {
    const server = { type: 'http', url: 'http://127.0.0.1:1/' } as const
    const parent = { mcpServers: { web: server } }
    expect(childOf(parent, { mcpServers: { web: server } }).options.mcpServers).toEqual({ web: server })
    expect(refusedBy(parent, { mcpServers: { other: server } })).toThrow('the MCP server other would be more')
    const changed = { web: { ...server, url: 'http://127.0.0.1:2/' } }
    expect(refusedBy(parent, { mcpServers: changed })).toThrow(TOO_MUCH)
    expect(refusedBy({}, { mcpServers: { web: server } })).toThrow(TOO_MUCH)
  })
})

/** What a call returns or throws. */
function outcomeOf(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}

/** By the mode of the parent: the modes that a child of it may have. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  dontAsk: ['dontAsk'],
  plan: ['plan'],
  default: ['default', 'plan', 'dontAsk'],
  acceptEdits: ['acceptEdits', 'default', 'plan', 'dontAsk'],
  auto: PERMISSION_MODES,
  bypassPermissions: PERMISSION_MODES,
  cli: ['cli'],
  unknown: [],
}

describe.each(Object.entries(WITHIN))('below a session in the mode %s', (own, within) => {
  test.each(PERMISSION_MODES)('may there be one in the mode %s', (mode) => {
    const parent = aSession({ permissionMode: own })
    const start = () =>
      narrowToParent(parentIn('/', {}, { permissionMode: own }), {
        options: StartOptions.parse({ permissionMode: mode }),
      })
    const isWithin = within.includes(mode)
    const refusal = {
      code: 'forbidden',
      message: expect.stringContaining(`permissionMode ${mode} would be more`) as string,
    }
    expect(outcomeOf(() => requireModeWithin(parent, mode)) ?? {}).toMatchObject(isWithin ? {} : refusal)
    expect(outcomeOf(start)).toMatchObject(isWithin ? { options: { permissionMode: mode } } : refusal)
  })
})

test('the mode of a session is the one it is in now, else the one it was started with', () => {
  const config = StartOptions.parse({ permissionMode: 'plan' })
  expect(modeOf(aSession({ config }))).toBe('plan')
  expect(modeOf(aSession({ config, permissionMode: 'default' }))).toBe('default')
})

type Asking = Pick<Session, 'ask'> & Partial<Pick<Session, 'answerers'>>

/** What a session below this one becomes, by who is asked. */
const below = (parent: Partial<Session>, child: Asking = {}) =>
  narrowToParent(parentIn('/', {}, parent), { options: StartOptions.parse({}), ...child })

describe('supervision', () => {
  test.each([
    ['asked', 'asked', 'asked'],
    ['asked', 'writes', 'writes'],
    ['asked', 'all', 'all'],
    ['writes', 'asked', 'writes'],
    ['writes', 'writes', 'writes'],
    ['writes', 'all', 'all'],
    ['all', 'asked', 'all'],
    ['all', 'writes', 'all'],
    ['all', 'all', 'all'],
  ] as const)('of a parent with %s and a child with %s is %s', (parent, child, both) => {
    expect(childOf({ supervise: parent }, { supervise: child }).options.supervise).toBe(both)
  })

  test('where only a person may answer for the parent, it is so for the child', () => {
    expect(below({ answerers: 'person' }, { answerers: 'anyone' })).toMatchObject({
      answerers: 'person',
      ask: 'person',
    })
    expect(below({ answerers: 'anyone' }, { answerers: 'person' }).answerers).toBe('person')
    expect(below({ answerers: 'anyone' }).answerers).toBeUndefined()
  })

  test('where the parent wants a person to be asked, the child does; else it may choose', () => {
    expect(below({ ask: 'person' }, { ask: 'model' }).ask).toBe('person')
    expect(below({ ask: 'model' }).ask).toBe('model')
    expect(below({ ask: 'model' }, { ask: 'person' }).ask).toBe('person')
    expect(below({}).ask).toBeUndefined()
  })
})

test('the rules of a session hold for those below it, before their own', () => {
  const rulesOf = (config: Options, options: Options) => childOf(config, options).options.rules
  const denies = { effect: 'deny', command: 'rm *', because: 'no' }
  const [mine, its] = ['mine', 'its'].map((id) => ({ id, ...denies }))
  const ids = (rules: ReturnType<typeof rulesOf>) => rules?.map(({ id }) => id)
  expect(ids(rulesOf({ rules: [mine] }, {}))).toEqual(['mine'])
  expect(ids(rulesOf({ rules: [mine] }, { rules: [its] }))).toEqual(['mine', 'its'])
  expect(ids(rulesOf({}, { rules: [its] }))).toEqual(['its'])
  expect(childOf({}, {}).options).not.toHaveProperty('rules')
})
