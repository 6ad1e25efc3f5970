/** Where and how long a remembered answer holds, with the real CLI: each session runs the commands that its prompt names. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Answer } from '../../../src/approvals/answer.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { ModelRequest } from '../../../src/demo/model-request.ts'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import type { CallContext } from '../../../src/engine/engine.ts'
import { operator, type Sessions, startSessions } from '../../rig/hubs/sessions.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

const HOUR = 3_600_000

/** The commands of a prompt, one line each, are run one after the other. */
function runPrompt() {
  const left = new Map<string, string[]>()
  return ({ sessionId = '', lastUserText, toolResults }: ModelRequest): Reply => {
    if (toolResults.length === 0) left.set(sessionId, commandsIn(lastUserText))
    const command = left.get(sessionId)?.shift()
    return command === undefined ? say('done') : tools(use('Bash', { command }))
  }
}

/** A prompt ends with a line of ours. */
function commandsIn(prompt: string): string[] {
  return prompt.split('\n').filter((line) => /^\w/.test(line))
}

async function aHome(): Promise<{ all: Sessions; clock: { ahead: number } }> {
  const clock = { ahead: 0 }
  const now = () => Date.now() + clock.ahead
  const all = await startSessions({ store: 'sqlite', scenario: { main: runPrompt() }, now })
  return { all, clock }
}

/** Answers the open question of the session; returns what it was about. */
async function answered(all: Sessions, sessionId: string, answer: Partial<Answer> = {}) {
  const { id: approvalId, input } = await all.question(sessionId)
  const { remembered } = await all.engine.answer(operator, { approvalId, approve: true, ...answer })
  return { command: input['command'], remembered }
}

/** What a session in this folder is asked about when it runs these commands. */
async function asks(all: Sessions, commands: string, folder = all.project): Promise<unknown[]> {
  const { id } = await all.start(commands, { workingDirectory: folder })
  return askedOf(all, id)
}

async function askedOf(all: Sessions, id: string): Promise<unknown[]> {
  const asked: unknown[] = []
  for (;;) {
    await all.engine.waitFor(operator, { sessionIds: [id], seconds: 20 })
    const [question] = await all.engine.pending(operator, { sessionId: id })
    if (!question) return asked
    asked.push(question.input['command'])
    await all.engine.answer(operator, { approvalId: question.id, approve: false })
  }
}

async function says(all: Sessions, sessionId: string, content: string): Promise<unknown[]> {
  await all.engine.startTurn(operator, { sessionId, content })
  return askedOf(all, sessionId)
}

test('a turn: the second equal call is not asked about, another is, and the next turn asks again (asked for: 2) (asked for: 14)', async () => {
  const { all } = await aHome()
  const { id } = await all.start('touch a\ntouch a\ntouch a b')
  expect(await answered(all, id, { remember: 'turn' })).toMatchObject({
    command: 'touch a',
    remembered: {
      scope: 'turn',
      texts: [expect.stringMatching(/^allow exactly Bash "touch a".*, in turn 1$/)],
    },
  })
  expect(await askedOf(all, id)).toEqual(['touch a b'])
  expect(await says(all, id, 'touch a')).toEqual(['touch a'])
  expect(await all.event(id, 'grant.expired')).toBeDefined()
  expect(await all.engine.listGrants(operator, { sessionId: id })).toEqual([])
})

test('a session: the grant names itself as the rule that decided, outlives a restart, and ends when it is revoked (asked for: 2) (asked for: 14)', async () => {
  const { all } = await aHome()
  const { id } = await all.start('touch a\ntouch a')
  const { remembered } = await answered(all, id, { remember: 'session' })
  expect(await askedOf(all, id)).toEqual([])
  const decided = (await all.events(id)).findLast((event) => event.type === 'approval.settled')
  expect(decided).toMatchObject({
    by: 'operator',
    via: 'rule',
    grantId: remembered?.grantId,
    verdict: { effect: 'allow', drawer: 'granted', ruleId: remembered?.grantId, text: remembered?.texts[0] },
  })
  await all.crash()
  await all.open()
  expect(await says(all, id, 'touch a\ntouch a && touch b\ntouch a; touch a')).toEqual([
    'touch a && touch b',
    'touch a; touch a',
  ])
  expect(await asks(all, 'touch a')).toEqual(['touch a'])
  const grantId = remembered?.grantId ?? ''
  expect(await all.engine.revokeGrant(operator, { grantId })).toEqual([])
  expect(await all.event(id, 'grant.revoked')).toMatchObject({ grantId, by: 'operator' })
  expect(await says(all, id, 'touch a')).toEqual(['touch a'])
  expect((await all.events(id)).filter(({ type }) => type === 'grant.expired')).toEqual([])
})

test('a tree: it holds in the sessions below the topmost one, and in no other (asked for: 2)', async () => {
  const { all } = await aHome()
  const workingDirectory = all.project
  const top = all.track(
    await all.engine.createSession(operator, {
      options: StartOptions.parse({ workingDirectory, nested: true }),
    }),
  )
  const caller: CallContext = {
    caller: {
      id: asCallerId(`session ${top.id}`),
      kind: 'session',
      name: top.id,
      scopes: ['nested'],
      person: false,
    },
  }
  const below = async (content: string) =>
    all.track(
      await all.engine.createSession(caller, { options: StartOptions.parse({ workingDirectory }), content }),
    ).id
  const first = await below('touch a\ntouch a')
  const question = await all.question(first)
  const wide = { approvalId: question.id, approve: true, remember: 'tree' } as const
  await expect(all.engine.answer(caller, wide)).rejects.toMatchObject({ code: 'forbidden' })
  await all.engine.answer(operator, wide)
  expect(await askedOf(all, first)).toEqual([])
  expect(await askedOf(all, await below('touch a\ntouch b'))).toEqual(['touch b'])
  expect(await asks(all, 'touch a')).toEqual(['touch a'])
  expect(await all.engine.listGrants(caller, { sessionId: first })).toMatchObject([{ scope: 'tree' }])
})

test('a folder: it holds for later sessions there and below, outlives its session and the hub, and not in another folder (asked for: 2)', async () => {
  const { all } = await aHome()
  const [sub, other] = [join(all.project, 'sub'), join(all.folder, 'other')]
  for (const folder of [sub, other]) await mkdir(folder)
  const { id } = await all.start('touch a')
  const { remembered } = await answered(all, id, { remember: 'folder' })
  expect(remembered?.texts).toEqual([
    `allow exactly Bash "touch a", in folder ${JSON.stringify(all.project)}`,
  ])
  await all.settled(id)
  await all.engine.deleteSession(operator, { sessionId: id })
  await all.crash()
  await all.open()
  expect(await asks(all, 'touch a\ntouch a b')).toEqual(['touch a b'])
  expect(await asks(all, 'touch a', sub)).toEqual([])
  expect(await asks(all, 'touch a', other)).toEqual(['touch a'])
  const [grant] = await all.engine.listGrants(operator, {})
  expect(grant).toMatchObject({ id: remembered?.grantId, scope: 'folder', sessionId: id, by: 'operator' })
  await all.engine.revokeGrant(operator, { grantId: grant?.id ?? '' })
  expect(await all.store.grants.get(grant?.id ?? '')).toMatchObject({
    ended: { how: 'revoked', by: 'operator' },
  })
  expect(await asks(all, 'touch a')).toEqual(['touch a'])
})

test('always, for an hour: it holds everywhere until its end, also after a restart, and then it has expired (asked for: 2) (asked for: 14)', async () => {
  const { all, clock } = await aHome()
  const other = join(all.folder, 'other')
  await mkdir(other)
  const { id } = await all.start('touch a')
  const { remembered } = await answered(all, id, { remember: 'always', rememberSeconds: 3_600 })
  expect(remembered?.texts).toEqual([
    `allow exactly Bash "touch a", until ${new Date(remembered?.endsAt ?? 0).toISOString()}`,
  ])
  expect(await asks(all, 'touch a\ntouch b', other)).toEqual(['touch b'])
  await all.settled(id)
  await all.crash()
  clock.ahead = HOUR / 2
  await all.open()
  expect(await asks(all, 'touch a', other)).toEqual([])
  // Somebody sets the clock back: no end comes later by that.
  clock.ahead = -HOUR
  expect(await asks(all, 'touch a', other)).toEqual([])
  await all.crash()
  await all.open()
  expect(await asks(all, 'touch a', other)).toEqual([])
  clock.ahead = HOUR + 60_000
  expect(await asks(all, 'touch a', other)).toEqual(['touch a'])
  expect(await all.event(id, 'grant.expired')).toMatchObject({ grantId: remembered?.grantId })
  expect((await all.events(id)).filter(({ type }) => type === 'grant.revoked')).toEqual([])
})

test('what a rule has asked about each time cannot be remembered, and no grant is above a rule (asked for: 2)', async () => {
  const { all } = await aHome()
  const { id } = await all.start('touch a')
  await answered(all, id, { remember: 'always' })
  await all.settled(id)
  const rules = [
    { id: 'touches', effect: 'ask', command: 'touch *' },
    { id: 'links', effect: 'deny', command: 'ln *', because: 'No links.' },
  ]
  await writeFile(join(all.folder, 'home', 'rules.json'), JSON.stringify({ v: 1, rules }))
  const second = await all.start('touch a')
  const { id: approvalId, remembers } = await all.question(second.id)
  expect(remembers).toBeUndefined()
  const wide = all.engine.answer(operator, { approvalId, approve: true, remember: 'session' })
  await expect(wide).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('the rule touches has such calls asked about each time'),
  })
  await all.engine.answer(operator, { approvalId, approve: false })
})
