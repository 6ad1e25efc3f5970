import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { httpClient } from '../../rig/clients/mcp-clients.ts'
import { afterLongPrompt, aParent } from '../../rig/clients/mcp-parent.ts'

const bash = (command: string) => tools(use('Bash', { command }))

test('what does not fit a schema is refused with the name of the field, and nothing is started', async () => {
  const parent = await aParent([])
  const refused: [string, object, string][] = [
    ['claude_start', {}, 'prompt'],
    ['claude_start', { prompt: '' }, 'prompt'],
    ['claude_start', { prompt: 'x', permissionMode: 'yolo' }, 'permissionMode'],
    ['claude_start', { prompt: 'x', waitSeconds: 51 }, 'waitSeconds'],
    ['claude_start', { prompt: 'x', colour: 'red' }, 'colour'],
    ['claude_start', { prompt: 'x', model: '--settings=evil' }, 'model'],
    ['claude_start', { prompt: 'x', timeoutSeconds: -1 }, 'timeoutSeconds'],
    ['claude_start', { prompt: 'x', workingDirectory: '/does/not/exist' }, '/does/not/exist'],
    ['claude_say', { sessionId: 'x' }, 'message'],
    ['claude_status', { sessionId: 7 }, 'sessionId'],
    ['claude_status', { afterSeq: -1 }, 'afterSeq'],
    ['claude_respond', { sessionId: 'x', id: 'y', answers: 'allow' }, 'answers'],
    ['claude_respond', { sessionId: 'x', id: 'y', answers: [] }, 'answers'],
    ['claude_list', { limit: 0 }, 'limit'],
    ['claude_list', { cursor: 'nonsense' }, 'cursor'],
    ['claude_interrupt', {}, 'sessionId'],
  ]
  for (const [tool, input, named] of refused)
    await expect(parent.client.call(tool, input), `${tool} ${JSON.stringify(input)}`).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(named) as string,
    })
  expect(await parent.hub.call('listSessions')).toEqual([])
})

test('a session that is not there is not found, by any tool', async () => {
  const parent = await aParent([])
  const sessionId = randomUUID()
  for (const [tool, input] of [
    ['claude_say', { sessionId, message: 'x' }],
    ['claude_status', { sessionId }],
    ['claude_respond', { sessionId, id: 'x', answers: ['allow'] }],
    ['claude_interrupt', { sessionId }],
  ] as const)
    await expect(parent.client.call(tool, input)).rejects.toMatchObject({ code: 'not_found' })
})

test('S16: a model may not switch supervision off', async () => {
  const parent = await aParent([])
  for (const options of [
    { permissionMode: 'bypassPermissions' },
    { dangerouslySkipPermissions: true },
    { allowedTools: ['Bash'] },
    { env: { A: 'b' } },
  ])
    await expect(parent.start('x', options)).rejects.toMatchObject({ code: 'forbidden' })
})

test('S17: where a person is wanted, the answer of a model is refused and the question stays', async () => {
  const parent = await aParent([bash('touch a'), say('done')])
  const { sessionId } = await parent.start('go', { answerers: 'person' })
  const { id } = await parent.question(sessionId)
  await expect(parent.respond(sessionId, id, ['allow'])).rejects.toMatchObject({ code: 'forbidden' })
  expect(await parent.status(sessionId)).toMatchObject({ status: 'awaiting_input', pendingQuestion: { id } })
  await parent.hub.call('answer', { approvalId: id, answers: ['allow'] })
  expect(await parent.status(sessionId)).toMatchObject({ status: 'done' })
})

test('an answer that does not fit leaves the question; the error of the second answer names who was first, and how', async () => {
  const parent = await aParent([bash('touch a'), say('done')])
  const other = await httpClient('sdk 1', parent.hub)
  const { sessionId } = await parent.start('go')
  const { id } = await parent.question(sessionId)
  await expect(parent.respond(sessionId, id, ['maybe'])).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('allow, deny') as string,
  })
  await expect(parent.respond(sessionId, id, ['allow', 'allow'])).rejects.toMatchObject({
    code: 'invalid_input',
  })
  await expect(parent.respond(sessionId, randomUUID(), ['allow'])).rejects.toMatchObject({
    code: 'not_found',
  })
  await other.call('claude_respond', { sessionId, id, answers: ['deny'], message: 'not now' })
  await expect(parent.respond(sessionId, id, ['allow'])).rejects.toMatchObject({
    code: 'already_settled',
    message: expect.stringMatching(/denied.*operator|operator.*denied/) as string,
  })
  expect(await parent.status(sessionId)).toMatchObject({ status: 'done' })
  expect(existsSync(join(parent.place.project, 'a'))).toBe(false)
})

test('an answer after the time is over gets an error; silence was a no', async () => {
  const parent = await aParent([bash('touch a'), say('Well then.')])
  const { sessionId } = await parent.start('go', { timeoutSeconds: 3 })
  const { id, expiresAt } = await parent.question(sessionId)
  expect(expiresAt).toBeDefined()
  // It is over when the model has heard the answer.
  await parent.place.model.request(({ toolResults }) => toolResults.length > 0)
  await expect(parent.respond(sessionId, id, ['allow'])).rejects.toMatchObject({
    code: 'already_settled',
    message: expect.stringContaining('expired') as string,
  })
  expect(await parent.status(sessionId)).toMatchObject({ status: 'done', result: 'Well then.' })
  expect(existsSync(join(parent.place.project, 'a'))).toBe(false)
})

test('a session that fails says why', async () => {
  const parent = await aParent(Array.from({ length: 20 }, () => ({ status: 400 as const })))
  const { sessionId } = await parent.start('go')
  const failed = await parent.status(sessionId)
  expect(failed).toMatchObject({ status: 'error', error: { code: expect.any(String) as string } })
  expect(failed.error?.message).toBeTruthy()
})

describe('large things', () => {
  test('a prompt of 5 MB arrives; what a newer CLI says to it is reported', async () => {
    const parent = await aParent([say('That was long.')])
    const prompt = `Begin ${'word '.repeat(1_000_000)} end`
    const { sessionId } = await parent.start(prompt)
    expect(await parent.status(sessionId)).toMatchObject(afterLongPrompt('That was long.'))
  })

  test('a tool input of 12 MB is asked in brief, shown as far as a client takes it, and written as it is', async () => {
    const content = 'line\n'.repeat(2_400_000)
    const parent = await aParent([tools(use('Write', { file_path: 'large', content })), say('Written.')])
    const { sessionId } = await parent.start('go')
    const brief = await parent.status(sessionId)
    expect(JSON.stringify(brief).length).toBeLessThan(8_000)
    const { id = '', inputSha256 } = brief.pendingQuestion ?? {}
    const full = await parent.status(sessionId, { fullInput: true })
    expect(full.pendingQuestion?.inputSha256).toBe(inputSha256)
    const shown = String(full.pendingQuestion?.input['content'])
    expect(shown.length).toBeGreaterThan(1_000_000)
    expect(shown).toMatch(/\[… \d+ characters are not shown …\]/)
    await parent.respond(sessionId, id, ['allow'], { inputSha256 })
    expect(await parent.status(sessionId)).toMatchObject({ status: 'done', result: 'Written.' })
    const written = await readFile(join(parent.place.project, 'large'), 'utf8')
    expect(written === content).toBe(true)
  })
})
