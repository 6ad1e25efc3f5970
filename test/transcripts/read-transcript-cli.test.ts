import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { cliVersion } from '../rig/cli/real-cli.ts'
import { eventsIn, indexOf, newest, place } from './recorded.ts'

const without = (events: SessionEvent[], ...types: SessionEvent['type'][]): SessionEvent[] =>
  events.filter(({ type }) => !types.includes(type))

test('a turn with thinking, text and a tool reads as it happened', async () => {
  const { configFolder, home, start } = await place({
    main: [
      {
        blocks: [
          { type: 'thinking', text: 'hmm' },
          { type: 'text', text: 'I will look.' },
          use('Bash', { command: 'echo hello' }, 'toolu_1'),
        ],
      },
      say('all done'),
    ],
  })
  const cli = await start('', '--allowedTools=Bash')
  const uuid = randomUUID()
  cli.write({ type: 'user', uuid, message: { role: 'user', content: 'look around' } })
  const result = await cli.result()
  await cli.end()
  const { path } = await newest(indexOf(configFolder))
  const input = { command: 'echo hello' }
  expect(await eventsIn(path)).toEqual([
    {
      type: 'turn.started',
      cliSessionId: result['session_id'],
      cliVersion: cliVersion(),
      permissionMode: 'default',
      workingDirectory: home,
    },
    { type: 'prompt.accepted', promptId: uuid, content: 'look around' },
    expect.objectContaining({ type: 'thinking', text: 'hmm' }),
    expect.objectContaining({ type: 'text', text: 'I will look.', uuid: expect.any(String) }),
    expect.objectContaining({ type: 'tool.used', toolUseId: 'toolu_1', toolName: 'Bash', input }),
    { type: 'tool.finished', toolUseId: 'toolu_1', isError: false, content: 'hello' },
    expect.objectContaining({ type: 'text', text: 'all done' }),
    { type: 'turn.ended', outcome: 'done', result: 'all done' },
  ])
})

test('an interrupted turn, a compaction and a failure become events', async () => {
  const { configFolder, model, start } = await place({
    main: ({ lastUserText }) => {
      // An interrupted prompt is sent again with the next one.
      if (lastUserText.includes('fail')) return { status: 400, message: 'bad luck' }
      return lastUserText.includes('hang') ? { hang: true } : say('fine')
    },
  })
  const cli = await start('')
  for (const turn of [1, 2]) {
    cli.say('hello') // twice, because CLI 2.1.197 finds less not worth a summary
    await cli.result(turn)
  }
  cli.say('hang')
  await model.request((request) => request.lastUserText.includes('hang'))
  cli.write({ type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } })
  await cli.result(3)
  cli.say('/compact')
  await cli.line(({ subtype }) => subtype === 'compact_boundary')
  await cli.result(4)
  cli.say('fail')
  await cli.result(5)
  await cli.end()
  const { path } = await newest(indexOf(configFolder))
  const events = withoutRepeat(without(await eventsIn(path), 'text'))
  const hello = [
    expect.objectContaining({ type: 'turn.started' }),
    expect.objectContaining({ type: 'prompt.accepted', content: 'hello' }),
    { type: 'turn.ended', outcome: 'done', result: 'fine' },
  ]
  expect(events).toEqual([
    ...hello,
    ...hello,
    expect.objectContaining({ type: 'turn.started' }),
    expect.objectContaining({ type: 'prompt.accepted', content: 'hang' }),
    { type: 'turn.ended', outcome: 'interrupted' },
    expect.objectContaining({ type: 'context.compacted', trigger: 'manual', before: expect.any(Number) }),
    expect.objectContaining({ type: 'turn.started' }),
    expect.objectContaining({ type: 'prompt.accepted', content: '/compact' }),
    expect.objectContaining({ type: 'turn.ended', outcome: 'done' }),
    expect.objectContaining({ type: 'turn.started' }),
    expect.objectContaining({ type: 'prompt.accepted', content: 'fail' }),
    {
      type: 'turn.ended',
      outcome: 'failed',
      error: { code: 'cli_failed', message: expect.stringContaining('bad luck') },
    },
  ])
})

test('of a sub-agent only the call and its outcome become events', async () => {
  const { configFolder, model, start } = await place({
    main: [
      tools(use('Agent', { description: 'dig', prompt: 'DIG here', subagent_type: 'general-purpose' }, 'a1')),
    ],
    agents: { 'DIG here': [tools(use('Bash', { command: 'echo sub' }, 'inside')), say('found')] },
  })
  const cli = await start('', '--allowedTools=Bash')
  cli.say('dig')
  await cli.result()
  await model.request(({ kind, toolResults }) => kind === 'agent' && toolResults.length > 0)
  await cli.end()
  const index = indexOf(configFolder)
  const listed = await index.list({ limit: 10 })
  expect(listed.map(({ title }) => title)).toEqual(['dig'])
  const events = await eventsIn(listed[0]?.path ?? '')
  expect(events.filter(({ type }) => type === 'prompt.accepted')).toHaveLength(1)
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool.used', toolUseId: 'a1' }))
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool.finished', toolUseId: 'a1' }))
  expect(JSON.stringify(events)).not.toContain('"inside"')
})

test('a prompt in the middle of a turn belongs to that turn', async () => {
  const { configFolder, home, start } = await place({
    main: [tools(use('Bash', { command: 'until [ -e go ]; do sleep 0.02; done' })), say('both seen')],
  })
  const cli = await start('', '--allowedTools=Bash')
  cli.say('first')
  await cli.line(({ type }) => type === 'assistant')
  const uuid = randomUUID()
  cli.write({ type: 'user', uuid, message: { role: 'user', content: 'and this' } })
  const index = indexOf(configFolder)
  const path = await eventually(async () => {
    const { path: found } = await newest(index)
    expect(await readFile(found, 'utf8')).toContain('"content":"and this"') // queued
    await writeFile(`${home}/go`, '')
    return found
  })
  await cli.result()
  await cli.end()
  const told = without(await eventsIn(path), 'text', 'tool.used', 'tool.finished')
  expect(told).toEqual([
    expect.objectContaining({ type: 'turn.started' }),
    expect.objectContaining({ type: 'prompt.accepted', content: 'first' }),
    { type: 'prompt.accepted', promptId: uuid, content: 'and this' },
    { type: 'turn.ended', outcome: 'done', result: 'both seen' },
  ])
})

/** CLI 2.1.197 now and then writes an interrupted prompt once more, as another one, when it compacts. */
function withoutRepeat(events: SessionEvent[]): SessionEvent[] {
  const hangs = events.flatMap((event, at) =>
    event.type === 'prompt.accepted' && event.content === 'hang' ? [at] : [],
  )
  const [, again] = hangs
  return again === undefined ? events : events.toSpliced(again - 1, 3)
}
