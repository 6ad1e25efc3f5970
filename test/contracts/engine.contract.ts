/** What every engine does, wherever it is. Real CLI, scripted model. */
import { randomUUID } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Reply, say, tools, use } from '../../src/demo/scenario.ts'
import { processesOfSession } from '../../src/system/process-tree.ts'
import type { Caller } from '../../src/callers/access-rules.ts'
import { StartOptions } from '../../src/child/launch/start-options.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { type EngineKind, type EngineRig, ME, startEngine } from '../rig/hubs/engines.ts'
import { deleteEventsBefore } from '../rig/tools/delete-events.ts'
import { refusalOf } from './refusal.ts'
import { asCallerId } from '../rig/tools/ids.ts'

const touch = (name: string): Reply => tools(use('Bash', { command: `echo ${name} >> ${name}` }))
const slow: Reply = { blocks: [{ type: 'text', text: 'word '.repeat(3_000), chunkMs: 20 }] }
const ASKED = {
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      options: [
        { label: 'red', description: 'like a rose' },
        { label: 'blue', description: 'like the sea' },
      ],
      multiSelect: false,
    },
  ],
}
const mainModels = ({ parts }: EngineRig) =>
  parts.model.requests.filter(({ kind }) => kind === 'main').map(({ body }) => body.model)
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

async function firstPage(engine: Engine, sessionId: string): Promise<unknown> {
  for await (const page of engine.followEvents(ME, { sessionId, after: 0 })) return page
  return undefined
}

const childOf = (name: string): Caller => ({
  id: asCallerId(`session ${name}`),
  kind: 'session',
  name,
  scopes: ['nested'],
  person: false,
})

export function engineContract(kind: EngineKind): void {
  const begin = (...main: Reply[]) => startEngine(kind, { main })

  describe('sessions and turns', () => {
    test('a session is created, begun, read and said more to', async () => {
      const rig = await begin(say('one'), say('two'))
      const { engine } = rig
      const created = await rig.create({ name: 'first', model: 'sonnet' }, { timeoutMs: 5_000 })
      expect(created).toMatchObject({ name: 'first', status: 'idle', turn: 0, timeoutMs: 5_000 })
      const { id } = created
      expect(await engine.getSession(ME, { sessionId: 'first' })).toEqual(created)
      const said = await engine.startTurn(ME, { sessionId: id, content: 'hello' })
      expect(said).toMatchObject({ queued: false, process: 'new' })
      expect(await rig.wait(id)).toMatchObject({ id, status: 'done', turn: 1 })
      const blocks = [{ type: 'text', text: 'and more' }]
      expect(await engine.startTurn(ME, { sessionId: id, content: blocks })).toMatchObject({
        process: 'warm',
      })
      await rig.wait(id)
      expect(await engine.listTurns(ME, { sessionId: id })).toMatchObject([
        { number: 1, promptId: said.promptId, outcome: 'done' },
        { number: 2, outcome: 'done' },
      ])
    })

    test('events are read page by page, by whoever reads, each from where they are', async () => {
      const rig = await begin(say('one'))
      const { engine } = rig
      const sessionId = await rig.start()
      const { lastSeq } = await rig.wait(sessionId)
      const { events } = await engine.readEvents(ME, { sessionId })
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: lastSeq }, (_, at) => at + 1))
      expect(await engine.readEvents(ME, { sessionId, after: 2, limit: 2 })).toEqual({
        events: events.slice(2, 4),
      })
      const next = (reader: string, more = {}) =>
        engine.readEvents(ME, { sessionId, reader, limit: 3, ...more })
      expect(await next('a')).toEqual({ events: events.slice(0, 3) })
      expect(await next('a')).toEqual({ events: events.slice(3, 6) })
      expect(await next('b')).toEqual({ events: events.slice(0, 3) })
      expect(await next('a', { after: 1 })).toEqual({ events: events.slice(1, 4) })
      expect(await engine.readEvents(ME, { sessionId, after: lastSeq })).toEqual({ events: [] })
    })

    test('events are read turn by turn, and a slower reader finishes its turn first', async () => {
      const rig = await begin(say('one'), say('two'))
      const { engine } = rig
      const sessionId = await rig.start()
      await rig.wait(sessionId)
      const first = await engine.readTurn(ME, { sessionId, reader: 'a', limit: 2 })
      expect(first).toMatchObject({
        turn: { number: 1 },
        position: 2,
        more: true,
        session: { id: sessionId },
      })
      await engine.startTurn(ME, { sessionId, content: 'again' })
      await rig.wait(sessionId)
      const rest = await engine.readTurn(ME, { sessionId, reader: 'a' })
      expect(rest).toMatchObject({ turn: { number: 1, outcome: 'done' }, position: rest.total, more: true })
      const next = await engine.readTurn(ME, { sessionId, reader: 'a' })
      expect(next).toMatchObject({ turn: { number: 2 }, position: next.total, more: false })
      expect(await engine.readTurn(ME, { sessionId, turn: 2, from: 0 })).toMatchObject({
        events: next.events,
      })
      expect(await engine.history(ME, { sessionId })).toEqual([])
    })

    test('what was deleted is reported as a gap, also to a follower', async () => {
      const rig = await begin(say('one'))
      const { engine } = rig
      const sessionId = await rig.start()
      await rig.wait(sessionId)
      await engine.stopSession(ME, { sessionId })
      deleteEventsBefore(join(rig.home, 'plexus.db'), sessionId, 4)
      expect(await engine.readEvents(ME, { sessionId, after: 0, limit: 1 })).toMatchObject({
        gap: { from: 1, to: 3 },
        events: [{ seq: 4 }],
      })
      for await (const page of engine.followEvents(ME, { sessionId, after: 1 })) {
        expect(page).toMatchObject({ gap: { from: 2, to: 3 } })
        break
      }
    })

    test('who follows sees every event once, those to come too, until they have enough', async () => {
      const rig = await begin(say('one'), say('two'))
      const { engine } = rig
      const sessionId = await rig.start()
      const enough = new AbortController()
      const seen: number[] = []
      let ended = 0
      for await (const page of engine.followEvents(
        { ...ME, signal: enough.signal },
        { sessionId, after: 0 },
      )) {
        for (const { seq, event } of page.events) {
          seen.push(seq)
          if (event.type !== 'turn.ended') continue
          if (++ended === 1) await engine.startTurn(ME, { sessionId, content: 'again' })
          else enough.abort()
        }
      }
      expect(ended).toBe(2)
      expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => at + 1))
    })

    test('sessions are listed newest first, in pages, by status', async () => {
      const rig = await begin()
      const ids: string[] = []
      for (let at = 0; at < 5; at++) ids.push((await rig.create()).id)
      const seen: string[] = []
      for (let before: { updatedAt: number; id: string } | undefined; ;) {
        const page = await rig.engine.listSessions(ME, { limit: 2, before })
        seen.push(...page.map(({ id }) => id))
        before = page.at(-1)
        if (!before) break
        before = { updatedAt: before.updatedAt, id: before.id }
      }
      expect(seen).toHaveLength(5)
      expect(new Set(seen)).toEqual(new Set(ids))
      expect(await rig.engine.listSessions(ME, { status: ['running', 'done'] })).toEqual([])
      expect(await rig.engine.listSessions(ME, { status: ['idle'] })).toHaveLength(5)
    })

    test('what is not there is not_found, and what is wrong with an input is said', async () => {
      const rig = await begin()
      const { engine } = rig
      const gone = { sessionId: randomUUID() }
      for (const work of [
        () => engine.getSession(ME, gone),
        () => engine.startTurn(ME, { ...gone, content: 'x' }),
        () => engine.listTurns(ME, gone),
        () => engine.readEvents(ME, gone),
        () => engine.waitFor(ME, { sessionIds: [gone.sessionId], seconds: 0 }),
        () => engine.pending(ME, gone),
        () => engine.interrupt(ME, gone),
        () => engine.setMode(ME, { ...gone, mode: 'plan' }),
        () => engine.setModel(ME, { ...gone, model: 'opus' }),
        () => engine.fork(ME, gone),
        () => engine.tree(ME, gone),
        () => engine.stopSession(ME, gone),
        () => firstPage(engine, gone.sessionId),
      ])
        expect(await refusalOf(work())).toMatchObject({ code: 'not_found' })
      const { id } = await rig.create({ name: 'taken' })
      expect((await refusalOf(rig.create({ name: 'taken' }))).code).toBe('in_use')
      expect((await refusalOf(engine.setMode(ME, { sessionId: id, mode: 'yolo' }))).code).toBe(
        'invalid_input',
      )
      const nowhere = rig.create({ workingDirectory: join(rig.project, 'nowhere') })
      expect(await refusalOf(nowhere)).toMatchObject({ code: 'invalid_input' })
      expect((await refusalOf(engine.fork(ME, { sessionId: id }))).code).toBe('not_found')
    })
  })

  describe('waiting', () => {
    test('a wait returns the moment a question opens, for one, for several and for any', async () => {
      const rig = await begin(touch('a'), say('done'))
      const { engine } = rig
      const quiet = await rig.create({ name: 'quiet' })
      const { id } = await rig.create()
      const any = engine.waitFor(ME, { seconds: 50 })
      await engine.startTurn(ME, { sessionId: id, content: 'go' })
      const one = engine.waitFor(ME, { sessionIds: [id], seconds: 50 })
      for (const wait of [any, one]) expect(await wait).toMatchObject([{ id, status: 'waiting' }])
      const both = await engine.waitFor(ME, { sessionIds: [id, 'quiet', quiet.id], seconds: 50 })
      expect(both.map((session) => session.id)).toEqual([id, quiet.id])
    })

    test('a wait for any returns when one of those that were at work has ended, also if it had before', async () => {
      const rig = await begin(slow)
      const { engine } = rig
      const quiet = await rig.create()
      const sessionId = await rig.start()
      await rig.event(sessionId, 'text.streamed')
      const any = engine.waitFor(ME, { seconds: 50 })
      await engine.interrupt(ME, { sessionId })
      expect(await any).toMatchObject([{ id: sessionId, status: 'interrupted' }])
      expect(await engine.waitFor(ME, { seconds: 0 })).toEqual([])
      const known = { atWork: [sessionId, quiet.id, randomUUID()], seconds: 50 }
      expect(await engine.waitFor(ME, known)).toMatchObject([{ id: sessionId, status: 'interrupted' }])
    })

    test('a wait for what is not as it was seen returns what has changed or come since, and nothing else', async () => {
      const rig = await begin(touch('a'), say('done'))
      const { engine } = rig
      const { id, lastSeq } = await rig.create()
      const quiet = await rig.create({ name: 'quiet' })
      const seen = { [id]: lastSeq, [quiet.id]: quiet.lastSeq }
      expect(await engine.waitFor(ME, { seen, seconds: 0 })).toEqual([])
      const changed = engine.waitFor(ME, { seen, seconds: 50 })
      await engine.startTurn(ME, { sessionId: id, content: 'go' })
      expect((await changed).map((session) => session.id)).toEqual([id])
      expect(await engine.waitFor(ME, { seen: { [id]: lastSeq }, seconds: 0 })).toHaveLength(2)
    })

    test('when time is up, and when it is ended, a wait returns nothing', async () => {
      const rig = await begin(slow)
      const { engine } = rig
      const sessionId = await rig.start()
      expect(await engine.waitFor(ME, { sessionIds: [sessionId], seconds: 0 })).toEqual([])
      expect(await engine.waitFor(ME, { sessionIds: [sessionId], seconds: 0.05 })).toEqual([])
      expect(await engine.waitFor(ME, { seconds: 0.05 })).toEqual([])
      const enough = new AbortController()
      const call = { ...ME, signal: enough.signal }
      const waits = [
        engine.waitFor(call, { sessionIds: [sessionId], seconds: 50 }),
        engine.waitFor(call, { seconds: 50 }),
      ]
      await rig.event(sessionId, 'text.streamed')
      enough.abort()
      expect(await Promise.all(waits)).toEqual([[], []])
      expect((await engine.getSession(ME, { sessionId })).status).toBe('running')
    })
  })

  describe('answers', () => {
    test('a question is asked in words; what does not fit leaves it open; the first answer counts', async () => {
      const rig = await begin(touch('a'), say('done'))
      const { engine } = rig
      const sessionId = await rig.start()
      const question = await rig.question(sessionId)
      const { id: approvalId, toolUseId = '' } = question
      expect(question).toMatchObject({ kind: 'tool', toolName: 'Bash', status: 'pending', sessionId })
      expect(question.questions).toMatchObject([
        { question: 'Claude wants to use Bash: echo a >> a', options: ['allow', 'deny'], freeText: false },
      ])
      expect(await engine.pending(ME, {})).toEqual([question])

      const wrong = await refusalOf(engine.answer(ME, { approvalId, answers: ['perhaps'] }))
      expect(wrong).toMatchObject({ code: 'invalid_input', data: { options: ['allow', 'deny'] } })
      expect(wrong.message).toContain('allow, deny')
      const two = await refusalOf(engine.answer(ME, { approvalId, answers: ['allow', 'allow'] }))
      expect(two).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('1 answer') as string,
      })
      const other = engine.answer(ME, { approvalId, answers: ['allow'], inputSha256: 'of-something-else' })
      expect((await refusalOf(other)).code).toBe('changed')
      const unknown = engine.answer(ME, { approvalId: randomUUID(), answers: ['allow'] })
      expect((await refusalOf(unknown)).code).toBe('not_found')
      expect(await engine.pending(ME, { sessionId })).toEqual([question])

      const byToolUse = { approvalId: toolUseId, sessionId, answers: ['allow'] }
      expect(await engine.answer(ME, byToolUse)).toMatchObject({ status: 'allowed', by: 'operator' })
      const late = await refusalOf(engine.answer(ME, { approvalId, answers: ['deny'] }))
      expect(late).toMatchObject({ code: 'already_settled', data: { approval: { by: 'operator' } } })
      expect(late.data?.['approval']).not.toHaveProperty('input')
      expect(late.message).toContain('allowed by operator')
      expect(await rig.wait(sessionId)).toMatchObject({ status: 'done' })
      expect(await engine.pending(ME, {})).toEqual([])
      expect(await readFile(join(rig.project, 'a'), 'utf8')).toBe('a\n')
    })

    test('a no reaches the child with its reason; an edited input is what runs', async () => {
      const rig = await begin(touch('a'), touch('b'), say('done'))
      const { engine } = rig
      const sessionId = await rig.start()
      const first = await rig.question(sessionId)
      await engine.answer(ME, { approvalId: first.id, answers: ['deny'], message: 'not here' })
      const second = await rig.question(sessionId)
      const updatedInput = { command: 'echo edited >> c' }
      await engine.answer(ME, { approvalId: second.id, answers: ['allow'], updatedInput })
      await rig.wait(sessionId)
      expect(await rig.event(sessionId, 'tool.finished')).toMatchObject({
        content: expect.stringContaining('not here') as string,
      })
      expect(await readFile(join(rig.project, 'c'), 'utf8')).toBe('edited\n')
      for (const name of ['a', 'b']) expect(await exists(join(rig.project, name))).toBe(false)
    })

    test('a question of the child is answered by an option or in words', async () => {
      const rig = await begin(tools(use('AskUserQuestion', ASKED)), say('done'))
      const sessionId = await rig.start()
      const { id: approvalId, questions } = await rig.question(sessionId)
      expect(questions).toMatchObject([
        {
          question: 'Which colour?',
          options: ['red', 'blue'],
          descriptions: ['like a rose', 'like the sea'],
        },
      ])
      await rig.engine.answer(ME, { approvalId, answers: ['green, please'] })
      await rig.wait(sessionId)
      expect(JSON.stringify(await rig.event(sessionId, 'tool.finished'))).toContain('green, please')
    })
  })

  describe('levels', () => {
    test('a question is handed up from level to level, at the top to nobody, and its answer says from which level it came', async () => {
      const rig = await begin(touch('a'), say('done'))
      const top = await rig.create({ nested: true })
      const caller = childOf(top.id)
      const parent = rig.as(caller)
      const options = StartOptions.parse({ workingDirectory: rig.project })
      const child = rig.track(await parent.createSession({ caller }, { options }))
      expect(child).toMatchObject({ parentId: top.id, owner: top.owner })
      const sessionId = child.id
      await parent.startTurn({ caller }, { sessionId, content: 'go' })
      const { id: approvalId } = await rig.question(sessionId)
      const escalations = [{ by: top.id, to: 'owner', note: 'not mine' }]
      expect(await parent.escalate({ caller }, { approvalId, note: 'not mine' })).toMatchObject({
        escalations,
      })
      expect(await parent.waitFor({ caller }, { sessionIds: [sessionId], seconds: 0.05 })).toEqual([])
      expect(await parent.pending({ caller }, {})).toEqual([])
      expect(await rig.engine.pending(ME, { sessionId: top.id, below: true })).toMatchObject([
        { id: approvalId },
      ])
      const nobody = await refusalOf(rig.engine.escalate(ME, { approvalId, sessionId }))
      expect(nobody).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('Nobody is above') as string,
      })
      const settled = await parent.answer({ caller }, { approvalId, answers: ['allow'] })
      expect(settled).toMatchObject({ by: top.id, level: 0, escalations })
      expect(await rig.event(sessionId, 'approval.escalated')).toMatchObject({ approvalId, to: 'owner' })
      expect(await rig.event(sessionId, 'approval.settled')).toMatchObject({ by: top.id, level: 0 })
      expect((await refusalOf(parent.escalate({ caller }, { approvalId }))).code).toBe('already_settled')
      expect((await refusalOf(rig.engine.escalate(ME, { approvalId: randomUUID() }))).code).toBe('not_found')
      await rig.wait(sessionId)
    })

    test('an answer of a person says so', async () => {
      const rig = await begin(touch('a'), say('done'))
      const sessionId = await rig.start()
      const { id: approvalId } = await rig.question(sessionId)
      expect(await rig.engine.answer(ME, { approvalId, answers: ['deny'] })).toMatchObject({
        level: 'person',
      })
    })
  })

  describe('in the middle of things', () => {
    test('an interrupt ends the turn, and a stop the process; the session continues later', async () => {
      const rig = await begin(slow, say('again'), say('and again'))
      const { engine } = rig
      const sessionId = await rig.start()
      await rig.event(sessionId, 'text.streamed')
      expect(await engine.startTurn(ME, { sessionId, content: 'later' })).toMatchObject({ queued: true })
      await engine.interrupt(ME, { sessionId })
      expect(await rig.wait(sessionId)).toMatchObject({ status: 'interrupted' })
      await engine.startTurn(ME, { sessionId, content: 'now' })
      expect(await rig.wait(sessionId)).toMatchObject({ status: 'done' })
      expect(await engine.stopSession(ME, { sessionId })).toMatchObject({ id: sessionId, status: 'done' })
      expect(await processesOfSession(sessionId)).toEqual([])
      expect(await engine.startTurn(ME, { sessionId, content: 'on' })).toMatchObject({ process: 'resume' })
      expect(await rig.wait(sessionId)).toMatchObject({ status: 'done' })
    })

    test('mode and model are changed while it lives', async () => {
      const rig = await begin(say('one'), say('two'))
      const { engine } = rig
      const sessionId = await rig.start()
      await rig.wait(sessionId)
      await engine.setMode(ME, { sessionId, mode: 'acceptEdits' })
      await engine.setModel(ME, { sessionId, model: 'model-of-the-day' })
      await engine.startTurn(ME, { sessionId, content: 'on' })
      expect(await rig.wait(sessionId)).toMatchObject({ permissionMode: 'acceptEdits' })
      expect(mainModels(rig).at(-1)).toBe('model-of-the-day')
    })

    test('a fork continues from a node, and is a branch of the tree', async () => {
      const rig = await begin(say('one'), say('two'), say('three'))
      const { engine } = rig
      const sessionId = await rig.start('prompt one')
      await rig.wait(sessionId)
      await engine.startTurn(ME, { sessionId, content: 'prompt two' })
      await rig.wait(sessionId)
      const [root] = await engine.tree(ME, { sessionId })
      expect(root).toMatchObject({
        node: { title: 'prompt one' },
        branches: [{ node: { title: 'prompt two' } }],
      })
      const fork = rig.track(await engine.fork(ME, { sessionId, nodeId: root?.node.id }))
      expect(fork).toMatchObject({ status: 'idle', origin: { kind: 'fork' } })
      await engine.startTurn(ME, { sessionId: fork.id, content: 'another way' })
      expect(await rig.wait(fork.id)).toMatchObject({ status: 'done' })
      const [tree] = await engine.tree(ME, { sessionId })
      expect(tree?.branches.map(({ node }) => node.title)).toEqual(['prompt two', 'another way'])
    })
  })
}
