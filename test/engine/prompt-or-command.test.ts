import { describe, expect, test } from 'vitest'
import { commandHint, promptOrCommand, requireNoUrls } from '../../src/engine/prompt-or-command.ts'
import { CALLERS } from '../rig/clients/family.ts'

describe('a prompt or a command', () => {
  test('is exactly one of the two', () => {
    expect(promptOrCommand('prompt', { content: 'hello' })).toEqual({ content: 'hello' })
    expect(promptOrCommand('prompt', { command: 'clear' })).toEqual({ command: 'clear' })
  })

  test.each([{}, { content: 'hello', command: 'clear' } as const])('is not %j', (given) => {
    expect(() => promptOrCommand('message', given)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: 'Give message or command, exactly one of the two.',
        data: { field: 'message' },
      }) as Error,
    )
  })
})

describe('an address in a prompt', () => {
  const image = [
    { type: 'text', text: 'see' },
    { type: 'image', source: { type: 'url', url: 'https://host/?key=1' } },
  ]

  test('is refused to a session, which would have it fetched without a question', () => {
    expect(() => requireNoUrls(CALLERS.parent, image)).toThrow('as base64')
  })

  test('is for every other caller to decide', () => {
    for (const caller of [CALLERS.operator, CALLERS.owner])
      expect(() => requireNoUrls(caller, image)).not.toThrow()
  })

  test.each([
    ['text', 'https://host/'],
    ['nothing', undefined],
    ['data', [{ type: 'image', source: { type: 'base64', data: 'AA' } }]],
    ['no source', [{ type: 'text', text: 'https://host/' }]],
    ['what makes no sense', ['url', null, 7, { source: null }, { source: 'url' }]],
  ])('is not %s', (_, content) => {
    expect(() => requireNoUrls(CALLERS.parent, content)).not.toThrow()
  })
})

describe('the hint for a command in the text', () => {
  test.each(['compact', 'clear'])('/%s names the field for it', (name) => {
    expect(commandHint(`/${name}`)).toBe(
      `/${name} was sent as text; to run it, give command ${name} instead of the text.`,
    )
  })

  test.each(['cost', 'context'])('/%s names where to look', (name) => {
    expect(commandHint(`  /${name} now`)).toMatch(new RegExp(`^/${name} was sent as text; the status`))
  })

  test('is found in a block', () => {
    const blocks = [null, 7, { type: 'image' }, { text: 7 }, { text: 'see' }, { text: '/clear' }]
    expect(commandHint(blocks)).toContain('command clear')
  })

  test.each(['hello', 'do /clear', '/clearly', '/other', '', undefined, ['/clear'], [{ type: 'text' }]])(
    'is none for %j',
    (content) => {
      expect(commandHint(content)).toBeUndefined()
    },
  )
})
