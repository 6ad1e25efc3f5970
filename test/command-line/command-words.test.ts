import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../src/base/errors.ts'
import { errorInCommandWords, inCommandWords } from '../../src/command-line/command-words.ts'

const SRC = join(import.meta.dirname, '../../src')
/** The rooms whose errors a command can print. */
const ROOMS = ['approvals', 'base', 'child', 'engine', 'hub-client', 'sessions', 'store', 'callers', 'system']

/** The sentences of all errors of these rooms, with … for what is filled in. */
function sentences(): string[] {
  return ROOMS.flatMap((room) =>
    readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(SRC, room, file), 'utf8')
        const calls = text.matchAll(/(?:AppError\(\s*'[a-z_]+',|invalidAnswer\()\s*(['"`])((?:(?!\1).)+)\1/gs)
        return [...calls].map(([, , sentence = '']) => sentence.replaceAll(/\$\{[^}]*\}/g, '…'))
      }),
  )
}

/** Names of fields, verbs and tools, which a person at a terminal does not know. Modes of the CLI are written so everywhere. */
const FOREIGN =
  /\b(?!acceptEdits|dontAsk|bypassPermissions)[a-z]+[A-Z]\w*\b|claude_\w+|claudecode|loopback\.|\/rpc|list the|leave out (?!-)/

/** Start options that no flag has: `--option` takes them by these names. Only sessions, or a `claude` outside, get the others. */
const KNOWN =
  /disableAllHooks|wakeParent|dangerouslySkipPermissions|A child session|A session may not|Only a child session/

test('no sentence that a command prints names a field, a verb or a tool', () => {
  const all = sentences()
  expect(all.length).toBeGreaterThan(60)
  const foreign = all
    .map(inCommandWords)
    .filter((sentence) => FOREIGN.test(sentence) && !KNOWN.test(sentence))
  expect(foreign).toEqual([])
})

test.each([
  [
    'There is no session web; list the sessions to see which there are.',
    'There is no session web; plexus ls lists them.',
  ],
  ['permissionMode must be one of a, b.', '--mode must be one of a, b.'],
  [
    'The session is at work; stop it first, or delete it with stop.',
    'The session is at work; plexus rm --stop ends it first.',
  ],
])('%j is said as %j', (sentence, here) => {
  expect(inCommandWords(sentence)).toBe(here)
})

test('an error keeps its code and its data', () => {
  const error = new AppError('not_found', 'There is no question x; list the pending ones.', {
    data: { a: 1 },
  })
  expect(errorInCommandWords(error)).toMatchObject({
    code: 'not_found',
    data: { a: 1 },
    message: 'There is no question x; plexus pending lists those that are open.',
  })
  const other = new Error('x')
  expect(errorInCommandWords(other)).toBe(other)
})
