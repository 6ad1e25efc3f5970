import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { carriers, operator, type Sessions, type Setting, startSessions } from '../../rig/hubs/sessions.ts'

const bash = (command: string) => tools(use('Bash', { command }))
const option = (label: string) => ({ label, description: `about ${label}` })
const fileB = (content: string) => (all: Sessions) =>
  tools(use('Write', { file_path: join(all.project, 'b'), content }))
const toolResults = (all: Sessions) => all.model.requests.flatMap((request) => request.toolResults)
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

describe.each(carriers)('asked by %s', (carrier) => {
  const start = (main: Setting['scenario']['main'], agents = {}) =>
    startSessions({ store: 'sqlite', carrier, scenario: { main, agents } })

  test('deny with a message: the model reads it and nothing runs', async () => {
    const all = await start([bash('touch a'), say('well')])
    const { id } = await all.start('go')
    const { id: approvalId, questions } = await all.question(id)
    expect(questions).toMatchObject([
      { question: 'Claude wants to use Bash: touch a', options: ['allow', 'deny'] },
    ])
    const denied = await all.engine.answer(operator, {
      approvalId,
      answers: ['deny'],
      message: 'use a branch',
    })
    expect(denied).toMatchObject({ status: 'denied', by: 'operator', decision: { message: 'use a branch' } })
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
    expect(toolResults(all)[0]).toMatchObject({
      text: expect.stringContaining('use a branch') as string,
      isError: true,
    })
    expect(await exists(join(all.project, 'a'))).toBe(false)
  })

  test('S9: what was shown is what runs, an edit is what was edited, and a wrong answer leaves the question', async () => {
    const all = await start([bash('touch asked'), say('well')])
    const { id } = await all.start('go')
    const { id: approvalId, inputSha256 } = await all.question(id)
    const shown = { approvalId, inputSha256: 'something else', answers: ['allow'] }
    await expect(all.engine.answer(operator, shown)).rejects.toMatchObject({ code: 'changed' })
    await expect(all.engine.answer(operator, { approvalId, answers: ['maybe'] })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('allow, deny') as string,
    })
    await expect(all.engine.answer(operator, { approvalId, answers: ['allow', 'allow'] })).rejects.toThrow(
      '1 answers',
    )
    expect(await all.get(id)).toMatchObject({ status: 'waiting' })
    const updatedInput = { command: 'touch edited' }
    await all.engine.answer(operator, { approvalId, inputSha256, answers: ['allow'], updatedInput })
    await all.settled(id)
    expect(await all.store.approvals.get(approvalId)).toMatchObject({ delivery: 'acknowledged' })
    expect([await exists(join(all.project, 'edited')), await exists(join(all.project, 'asked'))]).toEqual([
      true,
      false,
    ])
    const again = all.engine.answer(operator, { approvalId, answers: ['deny'] })
    await expect(again).rejects.toMatchObject({
      code: 'already_settled',
      data: { approval: { by: 'operator', status: 'allowed' } },
    })
  })

  test('S26: remember suggested: such calls are not asked again, whatever else is still is, and what is taken back is too', async () => {
    const alike = bash('touch a c')
    const turns = [
      [bash('touch a'), alike, fileB('1'), fileB('1')],
      [alike, fileB('1')],
      [alike, bash('rm a')],
    ]
    const replies = turns.flatMap((turn) => [...turn, say('well')])
    const all = await startSessions({
      store: 'sqlite',
      carrier,
      scenario: {
        main: () => {
          const reply = replies.shift() ?? say('done')
          return typeof reply === 'function' ? reply(all) : reply
        },
      },
    })
    const { id } = await all.start('go')
    const allowed = async (remember: 'session' | 'suggested') => {
      const { id: approvalId, toolName, input, suggestedRules } = await all.question(id)
      const { remembered } = await all.engine.answer(operator, { approvalId, answers: ['allow'], remember })
      expect(remembered?.rules).toEqual(remember === 'suggested' ? suggestedRules : [])
      return [toolName, input['command'] ?? input['content'], suggestedRules]
    }
    // Where our hook asks the CLI suggests nothing, so we do; for a file there is nothing but another mode, which nobody is offered.
    expect(await allowed('suggested')).toEqual(['Bash', 'touch a', ['Bash(touch *)']])
    expect(await allowed('session')).toEqual(['Write', '1', []])
    expect(await all.settled(id)).toMatchObject({ status: 'done', permissionMode: 'default' })
    expect(await exists(join(all.project, '.claude'))).toBe(false)
    await all.engine.stopSession(operator, { sessionId: id })
    await all.engine.startTurn(operator, { sessionId: id, content: 'go on' })
    expect(await all.settled(id)).toMatchObject({ status: 'done', permissionMode: 'default', turn: 2 })
    expect(await readFile(join(all.project, 'b'), 'utf8')).toBe('1')
    const settled = (await all.events(id)).filter((event) => event.type === 'approval.settled')
    const inAdvance = settled.filter(({ by, grantId }) => by === 'operator' && grantId !== undefined)
    const byRule = settled.flatMap(({ rule }) => rule ?? [])
    expect([settled.length, inAdvance.length, byRule.length]).toEqual([6, 4, 4])
    expect(byRule.filter((rule) => rule.includes('command "touch *"'))).toHaveLength(2)
    const [touch] = await all.engine.listGrants(operator, { sessionId: id })
    await all.engine.revokeGrant(operator, { sessionId: id, grantId: touch?.id ?? '' })
    await all.crash()
    await all.open() // the process is the same
    await all.engine.startTurn(operator, { sessionId: id, content: 'go on' })
    expect((await allowed('session')).slice(0, 2)).toEqual(['Bash', 'touch a c'])
    expect((await all.question(id)).input).toMatchObject({ command: 'rm a' })
  })

  test('remember under supervise all: the very same call is not asked again, another one is', async () => {
    const all = await start([bash('ls'), bash('ls'), bash('ls -a'), say('well')])
    const { id } = await all.start('go', { supervise: 'all' })
    const { id: approvalId } = await all.question(id)
    await all.engine.answer(operator, { approvalId, answers: ['allow'], remember: 'session' })
    expect((await all.question(id)).input).toMatchObject({ command: 'ls -a' })
    expect(await all.event(id, 'approval.settled', 2)).toMatchObject({ status: 'allowed', via: 'rule' })
    await all.crash()
    await all.open()
    const [grant] = await all.engine.listGrants(operator, { sessionId: id })
    expect(grant).toMatchObject({ by: 'operator', rule: { subject: 'ls' } })
    expect(await all.engine.revokeGrant(operator, { sessionId: id, grantId: grant?.id ?? '' })).toEqual([])
    const gone = all.engine.revokeGrant(operator, { sessionId: id, grantId: grant?.id ?? '' })
    await expect(gone).rejects.toMatchObject({ code: 'not_found' })
  })

  test('R26: an agent that runs after the turn has ended asks, and the session waits for its answer', async () => {
    const agent = {
      description: 'd',
      prompt: 'AGENT go',
      subagent_type: 'general-purpose',
      run_in_background: true,
    }
    const work = { blocks: [use('Bash', { command: 'echo x >> agent' })], delayMs: 400 }
    const main = [tools(use('Agent', agent)), say('main done'), say('told')]
    const all = await start(main, { AGENT: [work, say('agent done')] })
    const { id } = await all.start('go')
    await all.event(id, 'turn.ended')
    const { id: approvalId, agentId } = await all.question(id)
    expect(agentId).toBeDefined()
    expect(await all.get(id)).toMatchObject({ status: 'waiting' })
    await all.engine.answer(operator, { approvalId, answers: ['allow'] })
    await all.event(id, 'turn.ended', 2)
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
    expect(await readFile(join(all.project, 'agent'), 'utf8')).toBe('x\n')
  })

  test("R24: a form of the child's own MCP server is filled in", async () => {
    const server = join(import.meta.dirname, '../../fixtures/asking-mcp-server.mjs')
    const all = await start([tools(use('mcp__asking__greet', {})), say('done')])
    const { id } = await all.start('go', {
      mcpServers: { asking: { command: process.execPath, args: [server] } },
      allowedTools: ['mcp__asking__greet'],
    })
    const form = await all.question(id)
    expect(form).toMatchObject({ kind: 'form', questions: [{ options: ['accept', 'decline', 'cancel'] }] })
    await all.engine.answer(operator, { approvalId: form.id, answers: ['accept'], content: { name: 'Ann' } })
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
    expect(toolResults(all)[0]?.text).toContain('{"action":"accept","content":{"name":"Ann"}}')
  })

  test('three reads at once are three questions, answered in any order', async () => {
    const outside = await temporaryFolder()
    const paths = ['a', 'b', 'c'].map((name) => join(outside, name))
    for (const path of paths) await writeFile(path, `text of ${path}`)
    const all = await start([tools(...paths.map((path) => use('Read', { file_path: path }))), say('well')])
    const { id } = await all.start('go')
    await all.event(id, 'approval.opened', 3)
    const pending = await all.engine.pending(operator, { sessionId: id })
    expect(pending.map(({ input }) => input['file_path'])).toEqual(paths)
    for (const { id: approvalId } of pending.toReversed()) {
      expect(await all.get(id)).toMatchObject({ status: 'waiting' })
      await all.engine.answer(operator, { approvalId, answers: ['allow'] })
    }
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
    expect(toolResults(all).filter(({ isError }) => !isError)).toHaveLength(3)
  })

  test('a plan is approved with the mode to continue in, or rejected with a reason', async () => {
    const plan = tools(use('ExitPlanMode', { plan: '1. write it' }))
    const write = tools(use('Write', { file_path: 'plan.txt', content: 'x' }))
    const all = await start([plan, plan, write, say('done')])
    const { id } = await all.start('go', { permissionMode: 'plan' })
    const first = await all.question(id)
    expect(first).toMatchObject({ kind: 'plan', questions: [{ options: ['approve', 'reject'] }] })
    await all.engine.answer(operator, { approvalId: first.id, answers: ['reject'], message: 'shorter' })
    const second = await all.question(id)
    expect(toolResults(all).at(-1)?.text).toContain('shorter')
    await all.engine.answer(operator, {
      approvalId: second.id,
      answers: ['approve'],
      permissionMode: 'acceptEdits',
    })
    expect(await all.settled(id)).toMatchObject({ status: 'done', permissionMode: 'acceptEdits' })
    expect(await readFile(join(all.project, 'plan.txt'), 'utf8')).toBe('x')
  })

  test('two questions, one with several choices, are answered by their text', async () => {
    const questions = [
      {
        question: 'Which color?',
        header: 'Color',
        options: [option('Red'), option('Blue')],
        multiSelect: false,
      },
      {
        question: 'Which fruits?',
        header: 'Fruits',
        options: [option('Apple'), option('Fig')],
        multiSelect: true,
      },
    ]
    const all = await start([tools(use('AskUserQuestion', { questions })), say('thanks')])
    const { id } = await all.start('go')
    const asked = await all.question(id)
    expect(asked.questions).toMatchObject([
      { question: 'Which color?', header: 'Color', options: ['Red', 'Blue'], multiSelect: false },
      { question: 'Which fruits?', descriptions: ['about Apple', 'about Fig'], multiSelect: true },
    ])
    await all.engine.answer(operator, { approvalId: asked.id, answers: ['a free answer', 'Apple, Fig'] })
    await all.settled(id)
    const [result] = toolResults(all)
    for (const text of ['"Which color?"="a free answer"', '"Which fruits?"="Apple, Fig"'])
      expect(result?.text).toContain(text)
  })

  test('silence is a no: a question expires, the model gets the denial, and a late answer is refused', async () => {
    const all = await start([bash('touch a'), say('well')])
    const { id } = await all.start('go', {}, { timeoutMs: 300 })
    const { id: approvalId } = await all.question(id)
    expect(await all.settled(id)).toMatchObject({ status: 'done' })
    expect(toolResults(all)[0]).toMatchObject({ text: expect.stringContaining('Nobody answered') as string })
    await expect(all.engine.answer(operator, { approvalId, answers: ['allow'] })).rejects.toMatchObject({
      code: 'already_settled',
    })
    expect(await exists(join(all.project, 'a'))).toBe(false)
  })

  test('R16: an interrupt withdraws the question, and a later answer gets an error', async () => {
    const all = await start([bash('touch a'), say('well')])
    const { id } = await all.start('go')
    const { id: approvalId } = await all.question(id)
    await all.engine.interrupt(operator, { sessionId: id })
    expect(await all.settled(id)).toMatchObject({ status: 'interrupted' })
    await expect(all.engine.answer(operator, { approvalId, answers: ['allow'] })).rejects.toThrow('withdrawn')
  })

  test('supervise: writes asks for what the rules of the CLI would let pass; all asks for everything', async () => {
    for (const [supervise, asked] of [
      ['writes', ['Bash']],
      ['all', ['Read', 'Bash']],
    ] as const) {
      const all = await start([tools(use('Read', { file_path: 'x' })), bash('ls'), say('well')])
      await writeFile(join(all.project, 'x'), 'x')
      const { id } = await all.start('go', { supervise })
      for (const toolName of asked) {
        const question = await all.question(id)
        expect(question).toMatchObject({ toolName })
        await all.engine.answer(operator, { approvalId: question.id, answers: ['allow'] })
        await all.event(id, 'approval.settled', asked.indexOf(toolName as never) + 1)
      }
      expect(await all.settled(id)).toMatchObject({ status: 'done' })
    }
  })
})
