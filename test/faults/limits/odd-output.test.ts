import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { supervise, type Supervised } from '../../rig/hubs/supervised.ts'

/** A scripted child: the real CLI cannot be made to print these. */
const init = { line: { type: 'system', subtype: 'init', session_id: 'a' } }
const result = { line: { type: 'result', subtype: 'success', is_error: false, result: 'fine' } }
const aborted = {
  line: {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: 'aborted_tools',
  },
}
const text = (words: string) => ({
  line: { type: 'assistant', message: { content: [{ type: 'text', text: words }] } },
})
const stdinOf = (session: Supervised) => readFile(`${session.spec.env['SCRIPT']}.stdin`, 'utf8')

test('R10: a kind of line that we do not know is kept whole, and the stream continues', async () => {
  const odd = { type: 'from_the_future', payload: [1, { two: '\u0000 \u2028' }] }
  const session = await supervise({ script: [{ await: '"go"' }, init, { line: odd }, text('on'), result] })
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(session.all('line.unknown')).toEqual([{ type: 'line.unknown', line: odd }])
  expect(session.all('text')).toMatchObject([{ text: 'on' }])
})

test.each([
  ['is not JSON', { out: 'Segmentation fault\n' }, 'Segmentation fault'],
  [
    'is half a line with another glued to it',
    { out: '{"type":"assist{"type":"x"}\n' },
    '{"type":"assist{"type":"x"}',
  ],
  ['has half a character in it', { base64: Buffer.from([0xe2, 0x82, 0x0a]).toString('base64') }, '\ufffd'],
  ['is a NUL', { out: '\u0000\n' }, '\u0000'],
])(
  'R10: a line that %s is kept, the turn is interrupted and ends as failed, the session continues',
  async (_, line, kept) => {
    const script = [
      { await: '"go"' },
      init,
      line,
      { await: '"interrupt"' },
      aborted,
      { await: '"again"' },
      init,
      text('ok'),
      result,
    ]
    const session = await supervise({ script })
    const ended = await session.event('turn.ended')
    expect(ended).toMatchObject({ outcome: 'failed', error: { code: 'cli_failed' } })
    expect(session.all('line.unparsed')).toEqual([
      { type: 'line.unparsed', text: kept, bytes: expect.any(Number) as number },
    ])
    await session.command({ say: 'again' })
    expect(await session.event('turn.ended', 2)).toMatchObject({ outcome: 'done', result: 'fine' })
  },
)

test('R10: a BOM, CR LF, blank lines, U+2028 and a last line without its end are read as what they mean', async () => {
  const script = [
    { await: '"go"' },
    { out: `\ufeff${JSON.stringify(init.line)}\r\n\n\r\n` },
    text('a\u2028b\u2029c'),
    { out: JSON.stringify(result.line) },
    { exit: 0 },
  ]
  const session = await supervise({ script })
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(session.all('text')).toMatchObject([{ text: 'a\u2028b\u2029c' }])
  expect(session.all('line.unparsed')).toEqual([])
})

test('R10: a line of 50 MB is read, one longer than the cap is cut, and both end in good order', async () => {
  const script = [
    { await: '"go"' },
    init,
    { big: 50_000_000 },
    result,
    { await: '"more"' },
    init,
    { big: 70_000_000 },
    { await: '"interrupt"' },
    aborted,
  ]
  const session = await supervise({ script })
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  await session.command({ say: 'more' })
  expect(await session.event('turn.ended', 2)).toMatchObject({ outcome: 'failed' })
  const [cut] = session.all('line.unparsed')
  expect(cut?.bytes).toBe(70_000_000 - 1)
  expect(cut?.text.length).toBeLessThan(5_000)
})

test('R24: a control request that we do not know gets an error at once', async () => {
  const request = { type: 'control_request', request_id: 'r1', request: { subtype: 'sing_a_song' } }
  const session = await supervise({
    script: [{ await: '"go"' }, init, { line: request }, { await: '"r1"' }, result],
  })
  await session.event('turn.ended')
  expect(session.all('request.unknown')).toEqual([
    { type: 'request.unknown', requestId: 'r1', subtype: 'sing_a_song' },
  ])
  const answer = (await stdinOf(session)).split('\n').find((line) => line.includes('"r1"'))
  expect(JSON.parse(answer ?? '')).toMatchObject({
    type: 'control_response',
    response: { subtype: 'error', request_id: 'r1' },
  })
})

test('R24: a hook call that we cannot read is answered with ask, never with an error', async () => {
  const hook = {
    type: 'control_request',
    request_id: 'h1',
    request: { subtype: 'hook_callback', input: 'what' },
  }
  const session = await supervise({
    script: [{ await: '"go"' }, init, { line: hook }, { await: '"h1"' }, result],
  })
  await session.event('turn.ended')
  const answer = (await stdinOf(session)).split('\n').find((line) => line.includes('"h1"'))
  expect(JSON.parse(answer ?? '')).toMatchObject({
    response: { subtype: 'success', response: { hookSpecificOutput: { permissionDecision: 'ask' } } },
  })
})
