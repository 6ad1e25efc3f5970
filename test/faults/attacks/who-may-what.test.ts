import { randomUUID } from 'node:crypto'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { Engine, CallContext } from '../../../src/engine/engine.ts'
import { callVerb, type VerbName } from '../../../src/engine/verbs.ts'
import { AppError } from '../../../src/base/errors.ts'
import { aSession, aStep, GRANT } from '../../contracts/rows.ts'
import { refusalOf } from '../../contracts/refusal.ts'
import { aFamily, CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'
import { asCallerId, asSessionId } from '../../rig/tools/ids.ts'

type Name = keyof typeof CALLERS
type Outcome = 'ok' | 'forbidden' | 'not_found'

/** What every verb that names a session comes to. The same for all verbs, but for devices: that is the point. */
const EXPECTED: Record<Name, Outcome> = {
  operator: 'ok',
  owner: 'ok',
  stranger: 'not_found',
  itself: 'forbidden',
  parent: 'ok',
  grandparent: 'ok',
  sibling: 'not_found',
  'device that reads': 'ok',
  'device that answers': 'ok',
  'device that operates': 'ok',
}

/** The verbs for which a device needs more than the scope `read`. */
const FOR_ANSWERS = ['answer', 'answer by tool use', 'answerAll', 'escalate', 'revokeGrant', 'extend']
const FOR_OPERATION = [
  'startTurn',
  'renameSession',
  'deleteSession',
  'interrupt',
  'setMode',
  'setBudget',
  'setModel',
  'fork',
  'stopSession',
]
const TOKENS = ['permitConfig', 'commandConfig', 'handOver', 'returnSession']

function outcomeFor(name: Name, verb: string): Outcome {
  // It shows a file, which a model would have to ask for.
  if (verb === 'previewChange' && EXPECTED[name] === 'ok') return CALLERS[name].person ? 'ok' : 'forbidden'
  // A session spends from the budgets of its tree.
  const isSession = CALLERS[name].kind === 'session'
  if (verb === 'setBudget' && isSession && EXPECTED[name] === 'ok') return 'forbidden'
  if (!name.startsWith('device')) return EXPECTED[name]
  const needs = FOR_ANSWERS.includes(verb)
    ? 1
    : FOR_OPERATION.includes(verb)
      ? 2
      : TOKENS.includes(verb)
        ? 3
        : 0
  const has = ['device that reads', 'device that answers', 'device that operates'].indexOf(name)
  return has >= needs ? 'ok' : 'forbidden'
}

const names = Object.keys(CALLERS) as Name[]
const sessionId = CHILD
/** The hash in the row of the question. */
const SHOWN = 'ab'

const VERBS_ON_A_SESSION: Record<
  | Exclude<
      VerbName,
      | 'createSession'
      | 'listSessions'
      | 'listConversations'
      | 'judgeCall'
      | 'listFolders'
      | 'suggestRules'
      | 'replayRules'
      | 'importRules'
      | 'exportRules'
      | 'listBudgets'
      | `${string}Device`
      | `${string}Devices`
      | `${string}Record`
      | `${string}RecordRow`
      | `${string}Notices`
    >
  | 'followEvents'
  | 'answer by tool use',
  (engine: Engine, call: CallContext) => Promise<unknown>
> = {
  startTurn: (engine, call) => engine.startTurn(call, { sessionId, content: 'hello' }),
  getSession: (engine, call) => engine.getSession(call, { sessionId }),
  listTurns: (engine, call) => engine.listTurns(call, { sessionId }),
  readEvents: (engine, call) => engine.readEvents(call, { sessionId, reader: 'me' }),
  readTurn: (engine, call) => engine.readTurn(call, { sessionId, reader: 'me' }),
  followEvents: async (engine, call) => {
    for await (const page of engine.followEvents(call, { sessionId, after: 0 })) return page
    return undefined
  },
  waitFor: (engine, call) => engine.waitFor(call, { sessionIds: [sessionId], seconds: 0 }),
  pending: (engine, call) => engine.pending(call, { sessionId }),
  getApproval: (engine, call) => engine.getApproval(call, { approvalId: QUESTION }),
  previewChange: (engine, call) => engine.previewChange(call, { approvalId: QUESTION }),
  decisions: (engine, call) => engine.decisions(call, { sessionId }),
  costs: (engine, call) => engine.costs(call, { sessionId }),
  answer: (engine, call) => engine.answer(call, { approvalId: QUESTION, answers: ['allow'] }),
  answerAll: (engine, call) =>
    engine.answerAll(call, { questions: [{ approvalId: QUESTION, approve: true, inputSha256: SHOWN }] }),
  'answer by tool use': (engine, call) =>
    engine.answer(call, { approvalId: `toolu-${QUESTION}`, sessionId, answers: ['allow'] }),
  escalate: (engine, call) => engine.escalate(call, { approvalId: QUESTION }),
  offerRules: (engine, call) => engine.offerRules(call, { approvalId: QUESTION }),
  testCall: (engine, call) => engine.testCall(call, { sessionId, call: 'Bash(make)' }),
  explainQuestion: (engine, call) => engine.explainQuestion(call, { approvalId: QUESTION }),
  listGrants: (engine, call) => engine.listGrants(call, { sessionId }),
  revokeGrant: (engine, call) => engine.revokeGrant(call, { sessionId, grantId: GRANT.id }),
  renameSession: (engine, call) => engine.renameSession(call, { sessionId, name: 'other' }),
  extend: (engine, call) => engine.extend(call, { approvalId: QUESTION, seconds: 60 }),
  deleteSession: (engine, call) => engine.deleteSession(call, { sessionId }),
  interrupt: (engine, call) => engine.interrupt(call, { sessionId }),
  setMode: (engine, call) => engine.setMode(call, { sessionId, mode: 'plan' }),
  setBudget: (engine, call) => engine.setBudget(call, { sessionId, budget: { usd: 5 } }),
  setModel: (engine, call) => engine.setModel(call, { sessionId, model: 'opus' }),
  fork: (engine, call) => engine.fork(call, { sessionId }),
  tree: (engine, call) => engine.tree(call, { sessionId }),
  history: (engine, call) => engine.history(call, { sessionId }),
  permitConfig: (engine, call) => engine.permitConfig(call, { sessionId }),
  commandConfig: (engine, call) => engine.commandConfig(call, { sessionId }),
  handOver: (engine, call) => engine.handOver(call, { sessionId, to: 'command', pid: process.pid }),
  returnSession: (engine, call) => engine.returnSession(call, { sessionId, pid: process.pid }),
  stopSession: (engine, call) => engine.stopSession(call, { sessionId }),
}

/** Any other error means that it was allowed and then went wrong, as without a CLI it may. */
async function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'not_found'))
    return error.code
  return 'ok'
}

describe.each(Object.entries(VERBS_ON_A_SESSION))('S1: %s', (verb, call) => {
  test.each(names)('by %s', async (name) => {
    const { app, store } = await aFamily()
    const before = await store.approvals.get(QUESTION)
    const outcome = outcomeFor(name, verb)
    expect(await outcomeOf(call(app.engine, { caller: CALLERS[name] }))).toBe(outcome)
    const changed = (await store.approvals.get(QUESTION))?.status !== before?.status
    expect(changed && outcome !== 'ok').toBe(false)
  })
})

describe('S1: what is reported to nobody', () => {
  test.each(names)('%s finds the child among the sessions, or nowhere', async (name) => {
    const { engine } = (await aFamily()).app
    const call = { caller: CALLERS[name] }
    const listed = await engine.listSessions(call, {})
    expect(listed.some(({ id }) => id === CHILD)).toBe(EXPECTED[name] === 'ok')
  })

  test.each(names)('%s reads its events in the feed of all, or nowhere', async (name) => {
    const { app, store } = await aFamily()
    const over = new AbortController()
    const call = { caller: CALLERS[name], signal: over.signal }
    await store.journal.append({ ...aStep(1), sessionId: CHILD })
    for await (const { steps } of app.engine.followAll(call, { after: 0 })) {
      expect(steps.some(({ sessionId: id }) => id === CHILD)).toBe(EXPECTED[name] === 'ok')
      over.abort()
    }
  })

  test.each(names)(
    '%s is notified of its question when it is theirs to answer; a person always',
    async (name) => {
      const { engine } = (await aFamily()).app
      const call = { caller: CALLERS[name] }
      const told = async () => [
        (await engine.waitFor(call, { seconds: 0 })).some(({ id }) => id === CHILD),
        (await engine.pending(call, {})).some(({ id }) => id === QUESTION),
      ]
      const levels: Name[] = ['parent', 'grandparent', 'owner']
      for (const [at, responsible] of levels.entries()) {
        const expected = name === responsible || CALLERS[name].person
        expect(await told()).toEqual([expected, expected])
        const handOn = { approvalId: QUESTION, note: `from ${responsible}` }
        if (at < 2) await engine.escalate({ caller: CALLERS[responsible] }, handOn)
      }
    },
  )

  test.each(names)('rules are tried on the history for %s, and never for a session', async (name) => {
    const { engine } = (await aFamily()).app
    await engine.answer({ caller: CALLERS.operator }, { approvalId: QUESTION, answers: ['deny'] })
    const call = { caller: CALLERS[name] }
    const replayed = await engine.replayRules(call, { rules: { v: 1 } }).then(
      () => 'ok',
      (error: unknown) => (error instanceof AppError ? error.code : 'another error'),
    )
    const isSession = CALLERS[name].kind === 'session'
    expect(replayed).toBe(isSession ? 'forbidden' : 'ok')
    const suggested = await outcomeOf(engine.suggestRules(call, {}))
    expect(suggested).toBe(isSession ? 'forbidden' : 'ok')
  })

  test.each(names)('rules are imported and exported by %s only as a person who may', async (name) => {
    const { engine } = (await aFamily()).app
    const call = { caller: CALLERS[name] }
    const { kind, person } = CALLERS[name]
    const mayRead = person && (kind === 'operator' || kind === 'device')
    const settings = '{"permissions":{"allow":["Bash(npm test:*)"]}}'
    expect(await outcomeOf(engine.exportRules(call, {}))).toBe(mayRead ? 'ok' : 'forbidden')
    const mayChange = mayRead && (kind === 'operator' || name === 'device that operates')
    expect(await outcomeOf(engine.importRules(call, { settings }))).toBe(mayChange ? 'ok' : 'forbidden')
  })

  test.each(names)('what was decided about it %s reads among all decisions, or nowhere', async (name) => {
    const { engine } = (await aFamily()).app
    await engine.answer({ caller: CALLERS.operator }, { approvalId: QUESTION, answers: ['deny'] })
    const call = { caller: CALLERS[name] }
    const listed = await engine.decisions(call, {})
    expect(listed.some(({ id }) => id === QUESTION)).toBe(EXPECTED[name] === 'ok')
    const before = engine.decisions(call, { before: QUESTION }).then(
      () => 'ok',
      (error: unknown) => (error instanceof AppError ? error.code : 'another error'),
    )
    expect(await before).toMatch(EXPECTED[name] === 'ok' ? 'ok' : /not_found|forbidden/)
  })

  test('its question falls to the next above when a session is stopped, and at the top to the owner', async () => {
    const { app, store } = await aFamily()
    const told = (name: Name) => app.engine.pending({ caller: CALLERS[name] }, {})
    for (const [stopped, next] of [
      ['parent', 'grandparent'],
      ['grandparent', 'owner'],
    ] as const) {
      expect(await told(stopped)).toMatchObject([{ id: QUESTION }])
      const session = await store.sessions.get(CALLERS[stopped].name)
      const after = session && ({ ...session, status: 'interrupted' } as const)
      await store.journal.append({
        ...aStep(0),
        sessionId: asSessionId(CALLERS[stopped].name),
        session: after,
      })
      expect([await told(stopped), await told(next)]).toMatchObject([[], [{ id: QUESTION }]])
      expect(await app.engine.waitFor({ caller: CALLERS[next] }, { seconds: 0 })).toMatchObject([
        { id: CHILD },
      ])
    }
  })

  test.each(['stranger', 'sibling'] as const)('%s learns of no id by asking', async (name) => {
    const { engine } = (await aFamily()).app
    const call = { caller: CALLERS[name] }
    const refused = await refusalOf(engine.answer(call, { approvalId: QUESTION, answers: ['allow'] }))
    expect(refused.message).not.toContain(CHILD)
    const unknown = randomUUID()
    const same = await refusalOf(engine.answer(call, { approvalId: unknown, answers: ['allow'] }))
    expect(same.message.replace(unknown, QUESTION)).toBe(refused.message)
  })

  test('a branch of the tree that belongs to another', async () => {
    const { app, store } = await aFamily()
    const fork = await app.engine.fork({ caller: CALLERS.operator }, { sessionId })
    const node = {
      id: 'n2',
      sessionId: fork.id,
      parentId: 'n1',
      turn: 1,
      title: 'secret',
      cliSessionId: fork.id,
      at: 5,
    }
    await store.journal.append({ sessionId: fork.id, at: 5, events: [], nodes: [node] })
    const seenBy = async (name: Name) =>
      JSON.stringify(await app.engine.tree({ caller: CALLERS[name] }, { sessionId }))
    expect(await seenBy('operator')).toContain('secret')
    expect(await seenBy('parent')).toContain('secret') // a fork stays where its original is
    expect(await seenBy('owner')).not.toContain('secret')
  })

  test('a conversation of another, by resuming it', async () => {
    const { app } = await aFamily()
    const reader = { ...CALLERS.stranger, scopes: ['transcripts'] }
    const input = { options: StartOptions.parse({}), resume: CHILD }
    expect(await outcomeOf(app.engine.createSession({ caller: reader }, input))).toBe('not_found')
    expect(await outcomeOf(app.engine.createSession({ caller: CALLERS.stranger }, input))).toBe('forbidden')
  })
})

describe('S1: who manages devices', () => {
  test.each(names)('%s: only the operator, who is a person', async (name) => {
    const { app } = await aFamily()
    const call = { caller: CALLERS[name] }
    const expectedOutcome = name === 'operator' ? 'ok' : 'forbidden'
    const verbs: Promise<unknown>[] = [
      app.engine.listDevices(call, {}),
      app.engine.inviteDevice(call, { scope: 'read' }),
      app.engine.awaitDevice(call, { code: 'x', seconds: 0 }),
    ]
    expect(await Promise.all(verbs.map(outcomeOf))).toEqual(verbs.map(() => expectedOutcome))
    const remove = outcomeOf(app.engine.removeDevice(call, { name: 'none' }))
    expect(await remove).toBe(name === 'operator' ? 'not_found' : 'forbidden')
  })
})

describe('S1: who has notices', () => {
  test.each(names)('%s: a device, whatever its scope, and its own only', async (name) => {
    const { app, store } = await aFamily()
    const call = { caller: CALLERS[name] }
    const other = { device: asCallerId('device other'), reasons: ['question' as const] }
    await store.notices.put(other)
    const expectedOutcome = name.startsWith('device') ? 'ok' : 'forbidden'
    expect(await outcomeOf(app.engine.readNotices(call, {}))).toBe(expectedOutcome)
    expect(await outcomeOf(app.engine.setNotices(call, { reasons: ['done'] }))).toBe(expectedOutcome)
    const own = expectedOutcome === 'ok' ? [{ device: CALLERS[name].id, reasons: ['done'] }] : []
    expect(await store.notices.list()).toEqual([other, ...own])
  })
})

describe('S1: the folders of the machine', () => {
  test.each(names)('%s: a person who may start sessions, and nobody else', async (name) => {
    const { app, project } = await aFamily()
    const list = (caller: CallContext['caller']) =>
      outcomeOf(app.engine.listFolders({ caller }, { path: `${project}/` }))
    const isShown = name === 'operator' || name === 'device that operates'
    expect(await list(CALLERS[name])).toBe(isShown ? 'ok' : 'forbidden')
    expect(await list({ ...CALLERS[name], person: false })).toBe('forbidden')
    const isKnown = await outcomeOf(app.engine.listFolders({ caller: CALLERS[name] }, { path: '/nowhere/' }))
    expect(isKnown).toBe(isShown ? 'not_found' : 'forbidden')
  })
})

async function create(caller: CallContext['caller']) {
  const { app, project } = await aFamily()
  return app.engine.createSession({ caller }, { options: StartOptions.parse({ workingDirectory: project }) })
}

describe('S1: who may begin a session', () => {
  test.each(['operator', 'owner', 'stranger'] as const)('%s may, and it is theirs', async (name) => {
    expect(await create(CALLERS[name])).toMatchObject({ owner: CALLERS[name].id })
  })

  test('a session may when it was created as nested, and what it begins is below it', async () => {
    expect(await create(CALLERS.parent)).toMatchObject({ parentId: CALLERS.parent.name })
    expect(await outcomeOf(create({ ...CALLERS.parent, scopes: [] }))).toBe('forbidden')
  })

  test('S12: sessions are nested 3 deep and no deeper', async () => {
    expect(await outcomeOf(create(CALLERS.grandparent))).toBe('ok')
    expect(await outcomeOf(create(CALLERS.parent))).toBe('ok')
    const refused = await refusalOf(create(CALLERS.itself))
    expect(refused).toMatchObject({ code: 'forbidden', message: expect.stringContaining('3 deep') as string })
  })
})

describe('a session starts nothing that may do more than itself', () => {
  const strict = { permissionMode: 'default', supervise: 'all', disallowedTools: ['WebFetch'] } as const

  async function createBelow(options: Partial<StartOptions>, parent: Partial<StartOptions> = {}) {
    const { app, project } = await aFamily({
      config: StartOptions.parse({ ...strict, ...parent }),
      parentId: undefined,
    })
    const caller = CALLERS.itself
    const input = { options: StartOptions.parse({ workingDirectory: project, ...options }) }
    return app.engine.createSession({ caller }, input)
  }

  test('what is stricter in it holds below it too', async () => {
    expect(await createBelow({ disallowedTools: ['Write'] })).toMatchObject({
      config: { supervise: 'all', disallowedTools: ['WebFetch', 'Write'] },
    })
    expect(await createBelow({}, { tools: ['Read'] })).toMatchObject({ config: { tools: ['Read'] } })
    const { app } = await aFamily({ answerers: 'person', parentId: undefined })
    const options = StartOptions.parse({})
    const below = await app.engine.createSession({ caller: CALLERS.itself }, { options, answerers: 'anyone' })
    expect(below).toMatchObject({ answerers: 'person', ask: 'person' })
    for (const [above, wanted, held] of [
      ['person', 'model', 'person'],
      ['model', undefined, 'model'],
      ['both', 'person', 'person'],
    ] as const) {
      const { app: asking } = await aFamily({ ask: above, parentId: undefined })
      const one = await asking.engine.createSession({ caller: CALLERS.itself }, { options, ask: wanted })
      expect(one.ask).toBe(held)
    }
  })

  test.each<[string, Partial<StartOptions>]>([
    ['a wider mode', { permissionMode: 'acceptEdits' }],
    ['a tool that it has not', { tools: ['Read', 'Bash'] }],
    ['a rule that it has not', { allowedTools: ['Read', 'Edit'] }],
    ['a folder above', { workingDirectory: '/' }],
    ['a folder beside', { addDirs: ['..'] }],
  ])('%s is refused', async (_, options) => {
    expect(
      await refusalOf(createBelow(options, { allowedTools: ['Read'], tools: ['Read', 'Glob'] })),
    ).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('more than itself') as string,
    })
  })

  test('S30: a worktree that is made above its folder, behind a link or of a repository elsewhere is refused', async () => {
    const { app, project } = await aFamily({ config: StartOptions.parse({}), parentId: undefined })
    const start = () =>
      app.engine.createSession(
        { caller: CALLERS.itself },
        { options: StartOptions.parse({ workingDirectory: project, worktree: true }) },
      )
    const refused = { code: 'forbidden', message: expect.stringContaining('more than itself') as string }
    const git = join(project, '.git')
    expect(await refusalOf(start())).toMatchObject(refused)
    await mkdir(join(dirname(project), '.git'))
    expect(await refusalOf(start())).toMatchObject(refused)
    await writeFile(git, 'gitdir: /elsewhere/.git/worktrees/x')
    expect(await refusalOf(start())).toMatchObject(refused)
    await rm(git)
    await mkdir(git)
    await mkdir(join(project, '.claude'))
    await symlink(dirname(project), join(project, '.claude/worktrees'))
    expect(await refusalOf(start())).toMatchObject(refused)
    await rm(join(project, '.claude/worktrees'))
    expect(await start()).toMatchObject({ config: { worktree: true } })
  })

  test('it may give away what it has', async () => {
    const config = { permissionMode: 'acceptEdits', allowedTools: ['Read'] } as const
    expect(
      await createBelow({ ...config, allowedTools: ['Read'] }, { ...config, allowedTools: ['Read'] }),
    ).toMatchObject({ config })
  })

  const http = { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: { a: 'b' } } as const

  test('S22: it gives those below it the MCP servers that it has, and no others', async () => {
    const mcpServers = { mine: http }
    expect(await createBelow({ mcpServers }, { mcpServers })).toMatchObject({ config: { mcpServers } })
    for (const servers of [
      { other: http },
      { ...mcpServers, other: http },
      { mine: { ...http, url: 'http://127.0.0.1:9/other' } },
      { mine: { ...http, headers: { a: 'secret' } } },
      { mine: { type: 'http', url: http.url } as const },
      { mine: { ...http, type: 'sse' } as const },
    ])
      expect(await refusalOf(createBelow({ mcpServers: servers }, { mcpServers }))).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('the MCP server') as string,
      })
    expect((await refusalOf(createBelow({ mcpServers }))).code).toBe('forbidden')
  })

  const MODES = ['dontAsk', 'plan', 'default', 'acceptEdits'] as const
  test.each([
    ['dontAsk', ['dontAsk']],
    ['plan', ['plan']],
    ['default', ['dontAsk', 'plan', 'default']],
    ['acceptEdits', MODES],
  ] as const)('S29: in %s it gives those below it %j', async (own, within) => {
    const outcomes = (give: (mode: (typeof MODES)[number]) => Promise<unknown>) =>
      Promise.all(MODES.map(async (mode) => [mode, await outcomeOf(give(mode))]))
    const expected = MODES.map((mode) => [
      mode,
      (within as readonly string[]).includes(mode) ? 'ok' : 'forbidden',
    ])
    expect(await outcomes((mode) => createBelow({ permissionMode: mode }, { permissionMode: own }))).toEqual(
      expected,
    )
    const inMode = async () => {
      const { app, store } = await aFamily()
      const parent = await store.sessions.get(CALLERS.parent.name)
      const session = parent && { ...parent, permissionMode: own }
      await store.journal.append({ ...aStep(0), sessionId: asSessionId(CALLERS.parent.name), session })
      return { engine: app.engine, call: { caller: CALLERS.parent } }
    }
    expect(
      await outcomes(async (mode) => {
        const { engine, call } = await inMode()
        return engine.setMode(call, { sessionId, mode })
      }),
    ).toEqual(expected)
    // What may be allowed at all is another matter: in these two nothing that writes is.
    if (own === 'dontAsk' || own === 'plan') return
    expect(
      await outcomes(async (permissionMode) => {
        const { engine, call } = await inMode()
        return engine.answer(call, { approvalId: QUESTION, answers: ['allow'], permissionMode })
      }),
    ).toEqual(expected)
  })

  test('S29: in dontAsk it allows nothing below it that was not allowed to itself, whatever the mode there', async () => {
    const { app, store } = await aFamily({ permissionMode: 'plan' })
    const parent = await store.sessions.get(CALLERS.parent.name)
    const session = parent && { ...parent, permissionMode: 'dontAsk' }
    await store.journal.append({ ...aStep(0), sessionId: asSessionId(CALLERS.parent.name), session })
    const call = { caller: CALLERS.parent }
    const answer = { approvalId: QUESTION, answers: ['allow'] }
    for (const more of [{}, { permissionMode: 'dontAsk' }] as const)
      expect(await outcomeOf(app.engine.answer(call, { ...answer, ...more }))).toBe('forbidden')
    expect(await store.approvals.get(QUESTION)).toMatchObject({ status: 'pending' })
    expect(await outcomeOf(app.engine.escalate(call, { approvalId: QUESTION }))).toBe('ok')
    expect(await outcomeOf(app.engine.answer({ caller: CALLERS.grandparent }, answer))).toBe('ok')
  })

  test('nor does it change the mode of one below it to a wider one', async () => {
    const { engine } = (await aFamily()).app
    const call = { caller: CALLERS.parent }
    expect(await outcomeOf(engine.setMode(call, { sessionId, mode: 'acceptEdits' }))).toBe('forbidden')
    expect(await outcomeOf(engine.setMode(call, { sessionId, mode: 'plan' }))).toBe('ok')
  })
})

const BYPASSES: [string, Partial<StartOptions>][] = [
  ['bypassPermissions', { permissionMode: 'bypassPermissions' }],
  ['auto', { permissionMode: 'auto' }],
  ['the mode of the CLI', { permissionMode: 'cli' }],
  ['dangerouslySkipPermissions', { dangerouslySkipPermissions: true }],
  ...[
    'Bash',
    'Bash(*)',
    'Bash(:*)',
    'Bash(*:*)',
    'Bash( ** )',
    'bash',
    '*',
    'Monitor',
    'Bash(a*)',
    'Bash(sh *)',
    'Bash(/bin/sh:*)',
    'Bash(*;*)',
    'Bash(git *)',
  ].map((rule): [string, Partial<StartOptions>] => [`the rule ${rule}`, { allowedTools: ['Read', rule] }]),
  ['env', { env: { NODE_OPTIONS: '--require=/tmp/x.js' } }],
  ['a server with a command', { mcpServers: { mine: { command: 'sh' } } }],
]

describe.each(BYPASSES)('S16 S28: %s', (_, options) => {
  const createWith = async (caller: CallContext['caller']) => {
    const { app, project } = await aFamily()
    const parsed = { ...StartOptions.parse({ workingDirectory: project }), ...options }
    return outcomeOf(app.engine.createSession({ caller }, { options: parsed }))
  }

  test('is refused without the scope, and to a session always', async () => {
    expect(await createWith(CALLERS.operator)).toBe('ok')
    expect(await createWith({ ...CALLERS.owner, scopes: ['bypass'] })).toBe('ok')
    expect(await createWith({ ...CALLERS.operator, scopes: [] })).toBe('forbidden')
    expect(await createWith(CALLERS.owner)).toBe('forbidden')
    expect(await createWith({ ...CALLERS.parent, scopes: ['nested', 'bypass'] })).toBe('forbidden')
  })

  test('is not to be had by a fork either', async () => {
    const config = { ...StartOptions.parse({}), ...options }
    const { engine } = (await aFamily({ config })).app
    const fork = (caller: CallContext['caller']) => outcomeOf(engine.fork({ caller }, { sessionId }))
    expect(await fork(CALLERS.owner)).toBe('forbidden')
    expect(await fork(CALLERS.parent)).toBe('forbidden')
    expect(await fork(CALLERS.operator)).toBe('ok')
  })
})

describe.each(['bypassPermissions', 'auto'] as const)('S16: the mode %s in the middle of things', (mode) => {
  test.each(['owner', 'parent'] as const)('is refused to %s, with an answer too', async (name) => {
    const { app, store } = await aFamily()
    const call = { caller: CALLERS[name] }
    expect(await outcomeOf(app.engine.setMode(call, { sessionId, mode }))).toBe('forbidden')
    const answer = { approvalId: QUESTION, answers: ['allow'], permissionMode: mode }
    expect(await outcomeOf(app.engine.answer(call, answer))).toBe('forbidden')
    expect(await store.approvals.get(QUESTION)).toMatchObject({ status: 'pending' })
    expect(await outcomeOf(app.engine.answer({ caller: CALLERS.operator }, answer))).toBe('ok')
  })
})

test('what is remembered is no way round: not for a session that is asked itself, not where the home is in reach', async () => {
  const { app, store } = await aFamily()
  const answer = { approvalId: QUESTION, approve: true, remember: 'session' } as const
  expect(await outcomeOf(app.engine.answer({ caller: CALLERS.parent }, answer))).toBe('forbidden')
  expect((await refusalOf(app.engine.answer({ caller: CALLERS.operator }, answer))).code).toBe(
    'invalid_input',
  )
  expect(await store.approvals.get(QUESTION)).toMatchObject({ status: 'pending' })
})

test('S17: where a person is wanted, a model may not answer', async () => {
  const { app, store } = await aFamily({ answerers: 'person' })
  const answer = (caller: CallContext['caller']) =>
    outcomeOf(app.engine.answer({ caller }, { approvalId: QUESTION, answers: ['allow'] }))
  for (const caller of [CALLERS.owner, CALLERS.parent, { ...CALLERS.operator, person: false }])
    expect(await answer(caller)).toBe('forbidden')
  expect(await store.approvals.get(QUESTION)).toMatchObject({ status: 'pending' })
  expect(await answer(CALLERS.operator)).toBe('ok')
})

test('S13: a folder that does not exist is none to work in, and what is no UUID is no conversation', async () => {
  const { app, project } = await aFamily()
  const call = { caller: CALLERS.operator }
  const createIn = (workingDirectory: string) =>
    app.engine.createSession(call, { options: StartOptions.parse({ workingDirectory }) })
  expect((await refusalOf(createIn(`${project}/nowhere`))).code).toBe('invalid_input')
  expect((await refusalOf(createIn(`${import.meta.dirname}/who-may-what.test.ts`))).code).toBe(
    'invalid_input',
  )
  expect(await createIn(`${project}/../project`)).toMatchObject({ workingDirectory: project })
  const options = StartOptions.parse({ workingDirectory: project, addDirs: ['..', `${project}/../project`] })
  expect((await app.engine.createSession(call, { options })).config.addDirs).toEqual([
    dirname(project),
    project,
  ])
  const nowhere = { ...options, addDirs: ['nowhere'] }
  expect((await refusalOf(app.engine.createSession(call, { options: nowhere }))).code).toBe('invalid_input')
  for (const resume of ['../../etc/passwd', 'x', `${CHILD}/..`])
    expect((await refusalOf(callVerb(app.engine, call, 'createSession', { resume }))).code).toBe(
      'invalid_input',
    )
})

describe('S32: a name is never taken for the id of a conversation', () => {
  const conversation = 'ABCDEF01-2345-4678-89AB-CDEF01234567'

  test('a session is not named like one, by no way to make a session', async () => {
    const { app, project } = await aFamily()
    const call = { caller: CALLERS.owner }
    for (const name of [conversation, conversation.toLowerCase(), randomUUID()]) {
      const options = StartOptions.parse({ workingDirectory: project, name })
      for (const made of [
        app.engine.createSession(call, { options }),
        app.engine.createSession(call, { options, content: 'hello' }),
        app.engine.fork(call, { sessionId, name }),
        callVerb(app.engine, call, 'fork', { sessionId, name }),
      ])
        expect(await refusalOf(made)).toMatchObject({
          code: 'invalid_input',
          message: expect.stringContaining('UUID') as string,
        })
    }
    expect(await app.engine.listSessions({ caller: CALLERS.operator }, {})).not.toContainEqual(
      expect.objectContaining({ name: expect.anything() as string }),
    )
  })

  test('one that has such a name already is reached by its own id, and by that alone', async () => {
    const { app, store } = await aFamily()
    const id = randomUUID()
    await store.sessions.create(aSession({ id, name: conversation, owner: 'owner' }))
    const call = { caller: CALLERS.owner }
    expect(await app.engine.getSession(call, { sessionId: id })).toMatchObject({ id, name: conversation })
    const said = app.engine.startTurn(call, { sessionId: conversation, content: 'hello' })
    expect(await outcomeOf(said)).toBe('not_found')
    await store.sessions.create(aSession({ id: randomUUID(), name: CHILD, owner: 'stranger' }))
    expect(await app.engine.getSession(call, { sessionId })).toMatchObject({ id: CHILD })
  })
})
