import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { lineage } from '../../../src/tree/session-tree.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { startSessions, stores } from '../../rig/hubs/sessions.ts'

const append = (name: string) => tools(use('Bash', { command: `echo x >> ${name}` }))
const slow = { blocks: [{ type: 'text' as const, text: 'word '.repeat(3_000), chunkMs: 20 }] }

describe.each(stores)('sessions on %s', (store) => {
  test('start, a question allowed, say in the warm process', async () => {
    const all = await startSessions({ store, scenario: { main: [append('a'), say('one'), say('two')] } })
    const { id } = await all.start('go')
    await all.allow(id, await all.event(id, 'approval.opened'))
    expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 1 })
    expect(await all.supervisor.say(id, 'and now')).toMatchObject({ queued: false, process: 'warm' })
    const done = await all.settled(id)
    expect(done).toMatchObject({ status: 'done', turn: 2 })
    expect(await readFile(join(all.project, 'a'), 'utf8')).toBe('x\n')
    expect(await all.store.turns.list(id)).toMatchObject([
      { number: 1, firstSeq: 2, outcome: 'done' },
      { number: 2, outcome: 'done' },
    ])
    const path = await lineage(all.store.nodes, done.headNode)
    expect(path).toMatchObject([{ title: 'go' }, { title: 'and now' }])
  })

  test('a message during a turn is queued, and the result says so; an interrupt takes it back', async () => {
    const all = await startSessions({ store, scenario: { main: [slow, say('never')] } })
    const { id } = await all.start('go')
    await all.event(id, 'text.streamed')
    const { promptId, queued } = await all.supervisor.say(id, 'later')
    expect(queued).toBe(true)
    await (await all.supervisor.wake(id)).interrupt()
    expect(await all.settled(id)).toMatchObject({ status: 'interrupted', turn: 1 })
    expect(await all.event(id, 'prompt.withdrawn')).toEqual({ type: 'prompt.withdrawn', promptId })
    expect(all.model.requests.filter(({ kind }) => kind === 'main')).toHaveLength(1)
  })

  test('mode and model can be changed, in a living process and for the next one', async () => {
    const write = tools(use('Write', { file_path: join('/', 'dev', 'null', 'x'), content: '' }))
    const all = await startSessions({
      store,
      scenario: { main: [say('one'), say('two'), write, say('three')] },
    })
    const { id } = await all.start('go')
    await all.settled(id)
    const live = await all.supervisor.wake(id)
    await live.setMode('acceptEdits')
    await live.setModel('model-of-the-day')
    await all.supervisor.say(id, 'on')
    expect(await all.settled(id)).toMatchObject({ permissionMode: 'acceptEdits' })
    await live.stop()
    await live.setMode('plan')
    await all.supervisor.say(id, 'and on')
    await all.event(id, 'turn.started', 3)
    expect(await all.get(id)).toMatchObject({ permissionMode: 'plan' })
    const models = all.model.requests.filter(({ kind }) => kind === 'main').map(({ body }) => body.model)
    expect(models.slice(1).every((model) => model === 'model-of-the-day')).toBe(true)
  })

  test('a session that was stopped continues by resume, with its memory', async () => {
    const all = await startSessions({ store, scenario: { main: [say('one'), say('two')] } })
    const { id } = await all.start('the first prompt')
    await all.settled(id)
    const live = await all.supervisor.wake(id)
    await live.stop()
    expect(await processesOfSession(id)).toEqual([])
    expect(await all.get(id)).toMatchObject({ status: 'done' })
    expect(await all.supervisor.say(id, 'the second prompt')).toMatchObject({ process: 'resume' })
    expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 2 })
    const last = all.model.requests.filter(({ kind }) => kind === 'main').at(-1)
    expect(JSON.stringify(last?.body.messages)).toContain('the first prompt')
    expect(await all.store.runs.live()).toHaveLength(1)
  })

  test('R26: a background agent holds the session after its turn has ended, and may ask', async () => {
    const agent = use('Agent', {
      description: 'd',
      prompt: 'AGENT go',
      subagent_type: 'general-purpose',
      run_in_background: true,
    })
    const work = { blocks: [use('Bash', { command: 'echo x >> agent' })], delayMs: 400 }
    const scenario = {
      main: [tools(agent), say('main done'), say('told')],
      agents: { AGENT: [work, say('agent done')] },
    }
    const all = await startSessions({ store, scenario })
    const { id } = await all.start('go')
    await all.event(id, 'turn.ended')
    expect((await all.get(id)).status).toMatch(/running|waiting/)
    const asked = await all.event(id, 'approval.opened')
    expect(asked.agentId).toBeDefined()
    expect(await all.get(id)).toMatchObject({ status: 'waiting' })
    await all.crash()
    await all.open()
    expect(await all.get(id)).toMatchObject({ status: 'waiting' })
    await all.allow(id, asked)
    await all.event(id, 'turn.ended', 2)
    expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 2 })
    expect(await readFile(join(all.project, 'agent'), 'utf8')).toBe('x\n')
  })

  test('R5: whoever asked may go, and after a crash the next hub continues where the last one was', async () => {
    const all = await startSessions({ store, scenario: { main: [append('a'), append('a'), say('done')] } })
    const { id } = await all.start('go')
    const asked = await all.event(id, 'approval.opened')
    await all.crash()
    await all.open()
    await all.allow(id, asked)
    const again = await all.event(id, 'approval.opened', 2)
    await all.crash()
    await all.open()
    await all.allow(id, again)
    expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 1 })
    expect(await readFile(join(all.project, 'a'), 'utf8')).toBe('x\nx\n')
  })

  test('the command clear gives the CLI another id, and the session continues under ours', async () => {
    const all = await startSessions({ store, scenario: { main: [say('one'), say('two')] } })
    const { id } = await all.start('the first prompt')
    await all.settled(id)
    await all.supervisor.say(id, { command: 'clear' })
    await all.event(id, 'turn.ended', 2)
    await all.settled(id)
    await all.supervisor.say(id, 'afterwards')
    const { status, cliSessionId } = await all.settled(id)
    expect(status).toBe('done')
    expect(cliSessionId).not.toBe(id)
    await (await all.supervisor.wake(id)).stop()
    expect(await all.supervisor.say(id, 'later')).toMatchObject({ process: 'resume' })
    await all.settled(id)
    const last = JSON.stringify(
      all.model.requests.filter(({ kind }) => kind === 'main').at(-1)?.body.messages,
    )
    expect(last).toContain('afterwards')
    expect(last).not.toContain('the first prompt')
  })
})
