import { expect, test } from 'vitest'
import { flagList, paramsFromFlags } from '../../src/commands/params-from-flags.ts'

const schema = {
  properties: {
    session_id: { type: 'string', description: 'The session.' },
    timeoutMs: { type: 'integer' },
    wait: { type: 'boolean' },
    answers: { type: 'array', items: { type: 'string' } },
    options: { type: 'object' },
    content: {},
  },
}

test('flags are named after the fields, and their values have the types of the fields', () => {
  const given = ['--session-id', '7', '--timeout-ms', '5', '--wait', '--answers', 'a', '--answers', 'b']
  expect(paramsFromFlags(schema, [...given, '--options', '{"a":[1]}'])).toEqual({
    session_id: '7',
    timeoutMs: 5,
    wait: true,
    answers: ['a', 'b'],
    options: { a: [1] },
  })
  expect(paramsFromFlags(schema, [])).toEqual({})
})

test('a field of several types takes JSON, or else the text', () => {
  expect(paramsFromFlags(schema, ['--content', 'hello'])).toEqual({ content: 'hello' })
  expect(paramsFromFlags(schema, ['--content', '[1]'])).toEqual({ content: [1] })
})

test.each([
  [['--timeout-ms', 'soon'], '--timeout-ms must be JSON, such as 5, true or {"a": 1}.'],
  [['--sesion-id', 'x'], "Unknown option '--sesion-id'; see plexus rpc METHOD --help."],
])('%j is refused: %s', (given, sentence) => {
  expect(() => paramsFromFlags(schema, given)).toThrow(sentence)
})

test('the help has a line for each field', () => {
  expect(flagList(schema).slice(0, 2)).toEqual(['  --session-id  The session.', '  --timeout-ms'])
})
