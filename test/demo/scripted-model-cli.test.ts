import { expect, onTestFinished, test } from 'vitest'
import type { Scenario } from '../../src/demo/scenario.ts'
import { say, tools, use } from '../../src/demo/scenario.ts'
import type { ScriptedModel } from '../../src/demo/scripted-model.ts'
import { startScriptedModel } from '../../src/demo/scripted-model.ts'
import type { Line, PipedCli } from '../rig/cli/piped-cli.ts'
import { startPipedCli } from '../rig/cli/piped-cli.ts'
import { cliVersion } from '../rig/cli/real-cli.ts'

async function start(
  scenario: Scenario,
  ...args: string[]
): Promise<{ model: ScriptedModel; cli: PipedCli }> {
  const model = await startScriptedModel(scenario)
  onTestFinished(() => model.close())
  return { model, cli: await startPipedCli(model.url, ...args) }
}

const isRetry = ({ subtype }: Line) => subtype === 'api_retry'

test('a session gets the scripted replies, turn after turn, and then "done"', async () => {
  const { model, cli } = await start({ main: [say('hello one'), say('hello two')] })
  cli.say('first')
  expect(await cli.result(1)).toMatchObject({ result: 'hello one', is_error: false, stop_reason: 'end_turn' })
  cli.say('second')
  expect(await cli.result(2)).toMatchObject({ result: 'hello two' })
  cli.say('third')
  const last = await cli.result(3)
  expect(last).toMatchObject({ result: 'done' })
  expect(last['total_cost_usd']).toBeGreaterThan(0)
  expect(await cli.line(({ subtype }) => subtype === 'init')).toMatchObject({
    claude_code_version: cliVersion(),
  })
  const turns = model.requests.filter(({ kind }) => kind === 'main')
  expect(turns.map(({ lastUserText }) => lastUserText)).toEqual(['first', 'second', 'third'])
  expect(turns.every(({ sessionId }) => sessionId === last['session_id'])).toBe(true)
})

test('thinking comes before the text', async () => {
  const { cli } = await start({
    main: [
      {
        blocks: [
          { type: 'thinking', text: 'let me see' },
          { type: 'text', text: 'seen' },
        ],
      },
    ],
  })
  cli.say('go')
  expect(await cli.result()).toMatchObject({ result: 'seen' })
  const blocks = cli.lines.filter(({ type }) => type === 'assistant').map(({ message }) => message)
  expect(blocks).toMatchObject([
    { content: [{ type: 'thinking', thinking: 'let me see' }] },
    { content: [{ type: 'text', text: 'seen' }] },
  ])
})

test('two tools of one turn run and both results come back in one request', async () => {
  const { model, cli } = await start(
    {
      main: [
        tools(use('Bash', { command: 'echo one' }, 'toolu_1'), use('Bash', { command: 'false' }, 'toolu_2')),
        say('ran'),
      ],
    },
    '--allowedTools=Bash',
  )
  cli.say('go')
  expect(await cli.result()).toMatchObject({ result: 'ran' })
  const { toolResults } = await model.request((request) => request.toolResults.length > 0)
  // The CLI lists them in the order in which they ended.
  expect(toolResults.toSorted((a, b) => a.toolUseId.localeCompare(b.toolUseId))).toMatchObject([
    { toolUseId: 'toolu_1', text: 'one', isError: false },
    { toolUseId: 'toolu_2', text: 'Exit code 1', isError: true },
  ])
})

test('a sub-agent has its own script, whatever the main conversation does meanwhile', async () => {
  const agent = { description: 'count', prompt: 'AGENT-7 count the files', subagent_type: 'general-purpose' }
  const { model, cli } = await start(
    {
      main: [tools(use('Agent', agent)), say('main goes on'), say('main heard of it')],
      agents: { 'AGENT-7': [tools(use('Bash', { command: 'echo counted' })), say('agent is done')] },
    },
    '--allowedTools=Bash',
  )
  cli.say('go')
  await model.request(
    ({ agent: key, toolResults }) => key === 'AGENT-7' && toolResults[0]?.text === 'counted',
  )
  // In the foreground the agent's answer is the tool result, in the background a turn of its own.
  const heard = await model.request(
    ({ kind, body }) => kind === 'main' && JSON.stringify(body.messages).includes('agent is done'),
  )
  expect(heard.sessionId).toBe((await cli.result())['session_id'])
  expect(await cli.line(({ type, result }) => type === 'result' && result !== undefined)).toMatchObject({
    result: 'main goes on',
  })
  const said = model.requests.filter(({ kind }) => kind === 'agent')
  expect(said).toHaveLength(2)
  expect(new Set(said.map(({ agentId }) => agentId)).size).toBe(1)
})

test('a session without tools is a conversation too', async () => {
  const { cli } = await start({ main: [say('just text')] }, '--tools=')
  cli.say('go')
  expect(await cli.result()).toMatchObject({ result: 'just text' })
})

test('two sessions use the same script, each with its own position', async () => {
  const { model, cli } = await start({ main: [say('one'), say('two')] })
  const other = await startPipedCli(model.url)
  cli.say('a')
  await cli.result(1)
  cli.say('b')
  expect(await cli.result(2)).toMatchObject({ result: 'two' })
  other.say('c')
  expect(await other.result(1)).toMatchObject({ result: 'one' })
})

test('a 500 is retried and the retry takes the next reply', async () => {
  const { cli } = await start({ main: [{ status: 500 }, say('hi')] })
  cli.say('go')
  expect(await cli.result()).toMatchObject({ result: 'hi' })
  expect(cli.lines.filter(isRetry)).toMatchObject([{ error_status: 500 }])
})

test('a stream that is cut is retried and the retry takes the next reply', async () => {
  const { model, cli } = await start({
    main: [{ cut: [{ type: 'text', text: 'half a sen' }] }, say('whole')],
  })
  cli.say('go')
  expect(await cli.result()).toMatchObject({ result: 'whole' })
  expect(model.requests.filter(({ kind }) => kind === 'main')).toMatchObject([
    { aborted: true },
    { aborted: false },
  ])
})

test('a model that hangs can be interrupted, and the session continues', async () => {
  const { model, cli } = await start({ main: [{ hang: true }, say('back')] })
  cli.say('go')
  await model.request(({ kind }) => kind === 'main')
  cli.write({ type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } })
  expect(await cli.result(1)).toMatchObject({ subtype: 'error_during_execution' })
  await model.request(({ aborted }) => aborted)
  cli.say('again')
  expect(await cli.result(2)).toMatchObject({ result: 'back' })
})

test('a slow stream arrives in pieces', async () => {
  const text = 'one two three four five six seven eight nine'
  const { cli } = await start(
    { main: [{ blocks: [{ type: 'text', text, chunkMs: 20 }] }] },
    '--include-partial-messages',
  )
  cli.say('go')
  expect(await cli.result()).toMatchObject({ result: text })
  const pieces = cli.lines.filter(({ event }) => JSON.stringify(event)?.includes('text_delta'))
  expect(pieces).toHaveLength(3)
})

test('titles, side questions, token counts and summaries do not advance the script', async () => {
  const { model, cli } = await start({ main: [say('one'), say('two'), say('three')] })
  const control = async (request: { subtype: string; [field: string]: unknown }) => {
    cli.write({ type: 'control_request', request_id: request.subtype, request })
    const answer = await cli.line(
      ({ type, response }) =>
        type === 'control_response' && JSON.stringify(response).includes(`"${request.subtype}"`),
    )
    return JSON.stringify(answer)
  }
  cli.say('first')
  await cli.result(1)
  const title = await control({ subtype: 'generate_session_title', description: 'about the weather' })
  expect(title).toContain('Scripted session')
  const aside = await control({ subtype: 'side_question', question: 'how is the weather?' })
  expect(aside).toContain('no answer to side questions')
  await control({ subtype: 'get_context_usage' })
  cli.say('second')
  expect(await cli.result(2)).toMatchObject({ result: 'two' })
  cli.say('/compact')
  await cli.result(3)
  expect(cli.lines.filter(({ subtype }) => subtype === 'compact_boundary')).toHaveLength(1)
  cli.say('third')
  expect(await cli.result(4)).toMatchObject({ result: 'three' })
  const turns = model.requests.filter(({ kind }) => kind === 'main')
  expect(turns.map(({ lastUserText }) => lastUserText)).toEqual([
    'first',
    'second',
    expect.stringContaining('third'),
  ])
})

test('a tool input of 12 MB goes out and comes back', async () => {
  const input = { file_path: 'big.txt', content: 'x'.repeat(12_000_000) }
  const { model, cli } = await start(
    { main: [tools(use('Write', input)), say('written')] },
    '--permission-mode=acceptEdits',
  )
  cli.say('go')
  expect(await cli.result()).toMatchObject({ result: 'written' })
  const { bytes, toolResults } = await model.request((request) => request.toolResults.length > 0)
  expect(bytes).toBeGreaterThan(12_000_000)
  expect(toolResults).toMatchObject([{ isError: false }])
})
