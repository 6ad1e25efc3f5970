import { expect, test } from 'vitest'
import { simpleCommands } from '../../src/shell/lines/simple-commands.ts'

/** Each command as the words of its call, the files that it reads and those that it writes. */
const commandsOf = (line: string) =>
  simpleCommands(line)?.map(({ name, args, reads, writes }) => ({
    words: [name, ...args.map(({ text, pattern }) => (pattern ? `<${text}>` : text))].join(' '),
    ...(reads.length > 0 ? { reads: reads.map(({ text }) => text) } : {}),
    ...(writes.length > 0 ? { writes: writes.map(({ text }) => text) } : {}),
  }))

test.each<[string, object[]]>([
  ['', []],
  ['ls a*', [{ words: 'ls <a*>' }]],
  ['ls "a*"', [{ words: 'ls a*' }]],
  ["ls 'a b' c", [{ words: 'ls a b c' }]],
  ['echo "$? a"', [{ words: 'echo $? a' }]],
  ['export A=b', [{ words: 'export A=b' }]],
  ['export A=/x,y:z@1%2+3-4.5', [{ words: 'export A=/x,y:z@1%2+3-4.5' }]],
  ['> x ls', [{ words: 'ls', writes: ['x'] }]],
  ['ls < a > b', [{ words: 'ls', reads: ['a'], writes: ['b'] }]],
  ['ls > 1', [{ words: 'ls', writes: ['1'] }]],
  ['ls 2>&1', [{ words: 'ls' }]],
  ['ls 2>&-', [{ words: 'ls' }]],
  ['ls >&1x', [{ words: 'ls', writes: ['1x'] }]],
  ['ls >&x1', [{ words: 'ls', writes: ['x1'] }]],
  ['ls; pwd && id | cat', [{ words: 'ls' }, { words: 'pwd' }, { words: 'id' }, { words: 'cat' }]],
])('%j is simple commands', (line, commands) => {
  expect(commandsOf(line)).toEqual(commands)
})

test.each([
  'A=b ls',
  'A=b',
  'l* a',
  'ls "a"*',
  "ls 'a'*b",
  'ls "a $HOME"',
  'ls $HOME',
  'ls ~',
  'ls =x',
  'export A=$(id)',
  'export A=$(id)x',
  'export A="b"',
  'export A=*',
  'export A=b*',
  'ls > $x',
  'echo {a}>y',
  'cat <<EOF\na\nEOF',
  'cat <<< a',
  'ls &',
  '(ls)',
  'ls "',
])('%j is more than that', (line) => {
  expect(simpleCommands(line)).toBeUndefined()
})

test('a line may have 20 000 characters', () => {
  expect(simpleCommands('a'.repeat(20_000))).toHaveLength(1)
  expect(simpleCommands('a'.repeat(20_001))).toBeUndefined()
})
