import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { aParent, type Listed, planned } from '../../rig/clients/mcp-parent.ts'
import { startPipedCliIn } from '../../rig/cli/piped-cli.ts'

const bash = (command: string) => tools(use('Bash', { command }))
const option = (label: string) => ({ label, description: `about ${label}` })

describe('planning', () => {
  test('a plan is read, approved, and carried out', async () => {
    const parent = await aParent([...planned('1. Make it.'), bash('touch made'), say('All done.')])
    const { sessionId } = await parent.start('plan it', { permissionMode: 'plan' })
    const asked = await parent.question(sessionId)
    expect(asked).toMatchObject({
      type: 'plan_approval',
      toolName: 'ExitPlanMode',
      questions: [
        { question: expect.stringContaining('1. Make it.') as string, options: ['approve', 'reject'] },
      ],
    })
    const told = await parent.respond(sessionId, asked.id, ['approve'])
    expect(told).toMatchObject({ decision: 'allowed', status: 'active' })
    const next = await parent.question(sessionId)
    expect(next).toMatchObject({ type: 'tool_approval', input: { command: 'touch made' } })
    await parent.respond(sessionId, next.id, ['allow'])
    expect(await parent.status(sessionId)).toMatchObject({ status: 'done', result: 'All done.' })
    expect(existsSync(join(parent.place.project, 'made'))).toBe(true)
  })

  test('a plan is approved with the mode to continue in', async () => {
    const write = tools(use('Write', { file_path: 'made', content: 'x' }))
    const parent = await aParent([...planned('1. Write.'), write, say('All done.')])
    const { sessionId } = await parent.start('plan it', { permissionMode: 'plan' })
    const { id } = await parent.question(sessionId)
    await parent.respond(sessionId, id, ['approve'], { permissionMode: 'acceptEdits' })
    expect(await parent.status(sessionId)).toMatchObject({ status: 'done', permissionMode: 'acceptEdits' })
    expect(existsSync(join(parent.place.project, 'made'))).toBe(true)
  })

  test('a plan is rejected, and a better one comes of what is said then', async () => {
    const parent = await aParent([
      ...planned('1. Little.'),
      say('I see.'),
      ...planned('1. Little. 2. More.'),
      say('Good.'),
    ])
    const { sessionId } = await parent.start('plan it', { permissionMode: 'plan' })
    const first = await parent.question(sessionId)
    await parent.respond(sessionId, first.id, ['reject'], { message: 'too little' })
    expect(await parent.status(sessionId)).toMatchObject({
      status: 'done',
      result: 'I see.',
      permissionMode: 'plan',
      toolUseEvents: [{ toolName: 'ExitPlanMode', status: 'denied' }],
    })
    await parent.say(sessionId, 'Also do more.')
    // What was said before is not new; who asks for lines is told it all the same.
    expect((await parent.status(sessionId)).recentOutput).toEqual([])
    expect((await parent.status(sessionId, { outputLines: 5 })).recentOutput).toEqual(['I see.'])
    const second = await parent.question(sessionId)
    expect(second.questions[0]?.question).toContain('2. More.')
    await parent.respond(sessionId, second.id, ['approve'])
    expect(await parent.status(sessionId)).toMatchObject({ status: 'done', result: 'Good.' })
  })

  test('to say something in another mode interrupts what runs, an open plan too', async () => {
    const write = tools(use('Write', { file_path: 'made', content: 'x' }))
    const parent = await aParent([...planned('1. Write.'), write, say('Written.'), say('Planning.')])
    const { sessionId } = await parent.start('plan it', { permissionMode: 'plan' })
    const { id } = await parent.question(sessionId)
    // A mode that one may not set interrupts nothing.
    const refused = parent.say(sessionId, 'Do as you like', { permissionMode: 'bypassPermissions' })
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
    expect(await parent.question(sessionId)).toMatchObject({ id })
    await parent.say(sessionId, 'Approved, go ahead', { permissionMode: 'acceptEdits' })
    expect(await parent.status(sessionId)).toMatchObject({
      status: 'done',
      result: 'Written.',
      permissionMode: 'acceptEdits',
    })
    expect(existsSync(join(parent.place.project, 'made'))).toBe(true)
    await expect(parent.respond(sessionId, id, ['approve'])).rejects.toMatchObject({
      code: 'already_settled',
    })
    await parent.say(sessionId, 'Now plan the next', { permissionMode: 'plan' })
    expect(await parent.status(sessionId)).toMatchObject({ status: 'done', permissionMode: 'plan' })
  })
})

describe('questions', () => {
  test('two at once, one with several choices, are answered by label or in free words', async () => {
    const questions = [
      {
        question: 'Which provider?',
        header: 'Auth',
        options: [option('OAuth2'), option('SAML')],
        multiSelect: false,
      },
      {
        question: 'Which tests?',
        header: 'Tests',
        options: [option('unit'), option('load')],
        multiSelect: true,
      },
    ]
    const parent = await aParent([tools(use('AskUserQuestion', { questions })), say('Thanks.')])
    const { sessionId } = await parent.start('ask me')
    const asked = await parent.question(sessionId)
    expect(asked).toMatchObject({
      type: 'question',
      questions: [
        { question: 'Which provider?', header: 'Auth', options: ['OAuth2', 'SAML'] },
        { question: 'Which tests?', descriptions: ['about unit', 'about load'], multiSelect: true },
      ],
    })
    await expect(parent.respond(sessionId, asked.id, ['OAuth2'])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('2 answers') as string,
    })
    await parent.respond(sessionId, asked.id, ['something else', 'unit, load'])
    expect(await parent.status(sessionId)).toMatchObject({ status: 'done', result: 'Thanks.' })
    const [heard] = parent.place.model.requests.flatMap(({ toolResults }) => toolResults)
    expect(heard?.text).toMatch(/something else[^]*unit, load/)
  })
})

describe('resuming', () => {
  test('an interrupted session stands still, and continues when something is said', async () => {
    const parent = await aParent([bash('touch a'), say('Going on.')])
    const { sessionId } = await parent.start('go')
    const { id } = await parent.question(sessionId)
    const told = await parent.client.call('claude_interrupt', { sessionId })
    expect(told).toMatchObject({ sessionId, status: 'interrupted' })
    expect(await parent.status(sessionId)).toMatchObject({ status: 'interrupted' })
    await expect(parent.respond(sessionId, id, ['allow'])).rejects.toMatchObject({
      code: 'already_settled',
      message: expect.stringContaining('withdrawn') as string,
    })
    await parent.say(sessionId, 'go on')
    expect(await parent.status(sessionId)).toMatchObject({ status: 'done', result: 'Going on.' })
    expect(existsSync(join(parent.place.project, 'a'))).toBe(false)
    const again = await parent.client.call('claude_interrupt', { sessionId })
    expect(again).toMatchObject({ status: 'done' })
  })

  test('what is said in a turn is queued, and the result says so', async () => {
    const parent = await aParent([bash('touch a'), say('One.'), say('Two.')])
    const { sessionId } = await parent.start('go')
    const { id } = await parent.question(sessionId)
    expect(await parent.say(sessionId, 'and then?')).toMatchObject({ queued: true, status: 'awaiting_input' })
    await parent.respond(sessionId, id, ['deny'], { message: 'no' })
    expect(await parent.status(sessionId)).toMatchObject({ status: 'done' })
  })

  test('a conversation that somebody had in a terminal is listed, and resumed where it was', async () => {
    const parent = await aParent([say('Hello from elsewhere.'), say('And here.')])
    const { project, folder, model } = parent.place
    const cli = await startPipedCliIn({ home: folder, cwd: project }, model.url)
    cli.say('hello')
    await cli.result()
    await cli.end()
    const { sessions } = await parent.client.call<{ sessions: Listed[] }>('claude_list', {})
    expect(sessions).toMatchObject([{ displayText: 'hello', projectDirectory: project, isActive: false }])
    const [{ sessionId } = { sessionId: '' }] = sessions
    parent.place.sessions.add(sessionId)
    expect(await parent.say(sessionId, 'go on', { waitSeconds: 50 })).toMatchObject({
      sessionId,
      status: 'done',
      result: 'And here.',
    })
    const again = await parent.client.call<{ sessions: Listed[] }>('claude_list', {
      workingDirectory: project,
    })
    expect(again.sessions).toMatchObject([{ sessionId, activeStatus: 'done' }])
    const elsewhere = await parent.client.call<{ sessions: Listed[] }>('claude_list', {
      workingDirectory: folder,
    })
    expect(elsewhere.sessions).toEqual([])
  })
})

describe('waiting for all at once', () => {
  test('the first of several sessions that needs someone is returned, then the next, then none', async () => {
    const parent = await aParent([bash('touch made'), say('Made.')])
    const first = await parent.start('one', { name: 'one' })
    const second = await parent.start('two', { name: 'two' })
    const answered = new Set<string>()
    while (answered.size < 2) {
      const { sessions } = await parent.client.call<{
        sessions: { sessionId: string; pendingQuestion?: { id: string } }[]
      }>('claude_status', { waitSeconds: 50 })
      for (const { sessionId, pendingQuestion } of sessions) {
        if (!pendingQuestion) continue
        await parent.respond(sessionId, pendingQuestion.id, ['allow'])
        answered.add(sessionId)
      }
    }
    expect(answered).toEqual(new Set([first.sessionId, second.sessionId]))
    for (const name of ['one', 'two'])
      expect(await parent.status(name)).toMatchObject({ name, status: 'done' })
    const none = await parent.client.call('claude_status', { waitSeconds: 50 })
    expect(none).toMatchObject({
      sessions: [],
      active: 0,
      hint: expect.stringContaining('claude_start') as string,
    })
  })
})
